"""The local web application: prepare runs, read their results, compare, merge annotations, try texts."""
