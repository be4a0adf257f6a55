"""CoNLL-2011/2012, SemEval-2010 and other formats with a bracket column."""
