"""The experiments of the papers, rebuilt: what they printed beside what comes out here."""
