"""Mention-pair resolvers with memory-based learning."""
