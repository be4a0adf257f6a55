"""Resolvers that follow rules: one algorithm a file."""
