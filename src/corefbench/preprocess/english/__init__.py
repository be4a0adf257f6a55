"""English knowledge: pronouns, names, nouns and word lists."""
