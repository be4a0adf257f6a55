"""Choices about singletons, repeated mentions and twinless mentions, one module each."""
