"""How the tables of ``corefbench.preprocess.english.data`` are made from public sources."""
