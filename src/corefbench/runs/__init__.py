"""Results as files: one run, one file, which any view opens."""
