"""Resolvers that follow rules: one algorithm per module."""
