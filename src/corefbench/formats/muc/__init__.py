"""MUC-6 and MUC-7 SGML."""
