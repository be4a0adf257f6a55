"""MMAX2 projects."""
