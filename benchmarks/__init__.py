"""What the scorer costs and whether it agrees, beside the programs people use today."""
