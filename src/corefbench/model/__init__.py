"""The records every stage works on: the columnar corpus and its light views."""
