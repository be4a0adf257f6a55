"""The data model: a columnar corpus, its views, and the ways to build and combine corpora."""
