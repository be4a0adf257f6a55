"""Scoring: pair documents, evaluate, add up, sign."""
