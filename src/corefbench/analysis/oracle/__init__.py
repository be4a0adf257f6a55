"""What better mention detection would be worth: the oracle of Chen et al. 2018, Table 6."""
