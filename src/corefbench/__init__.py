"""corefbench: an evaluation workbench for coreference and anaphora resolution."""
