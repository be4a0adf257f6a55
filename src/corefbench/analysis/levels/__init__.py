"""Scoring across documents: what level, mentions and singletons do (Cattan et al. 2021)."""
