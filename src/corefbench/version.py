"""The version, in one place: pyproject.toml, every signature and ``--version`` read it."""

__version__ = "0.1.0"
