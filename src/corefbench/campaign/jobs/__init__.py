"""Background jobs: scoring in a sandbox, and maintenance."""
