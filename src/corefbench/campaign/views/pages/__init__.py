"""What pages say; one module each, named as its route: ``view(platform, visitor, query)``."""
