"""What lies behind a score: comparison, errors, singletons, levels, annotation."""
