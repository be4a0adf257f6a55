"""``python -m benchmarks SUBJECT [options]``."""

from benchmarks.runner import main

main()
