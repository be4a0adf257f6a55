"""The Anaphora Resolution Exercise: inputs and answers of its four tasks."""
