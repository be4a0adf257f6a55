"""A plug-in for corefbench: one format, one measure, one resolver, one pre-processor."""
