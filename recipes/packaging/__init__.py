"""Wheel and sdist: built, looked into, and installed in fresh environments: `make package`."""
