"""Pronoun resolution judged against a key: right, wrong, left alone, and what that adds up to."""
