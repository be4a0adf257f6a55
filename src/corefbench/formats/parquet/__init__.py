"""Apache Parquet, one row per document."""
