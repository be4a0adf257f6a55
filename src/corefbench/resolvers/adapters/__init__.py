"""Systems that people already use, behind the same interface, in their own environment."""
