"""Snapshots of what the commands, the Python API and both web applications put out.

Not a test by itself: it tells whether two checkouts behave alike. Record one, change the code,
and compare::

    python -m tests.snapshots.record /path/to/checkout before
    python -m tests.snapshots.compare before /path/to/checkout --only 'cli.score.*'
"""
