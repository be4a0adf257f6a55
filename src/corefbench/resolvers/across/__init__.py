"""A cross-document resolver: pair scorers, average linkage, and mentions given or found."""
