"""How the tables of ``corefbench.language.data`` are made from public sources."""
