"""WebAnno TSV 3.2, the format of GUM and INCEpTION."""
