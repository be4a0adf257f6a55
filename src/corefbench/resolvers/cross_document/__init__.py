"""Cross-document coreference resolution."""
