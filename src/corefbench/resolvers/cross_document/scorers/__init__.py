"""Scorers."""
