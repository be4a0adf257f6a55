"""Resolvers that learn from annotated pairs of mentions."""
