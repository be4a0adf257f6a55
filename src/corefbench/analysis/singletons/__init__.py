"""What singletons do to a score: the experiments of Kübler & Zhekova 2011, on any data."""
