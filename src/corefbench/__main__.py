"""``python -m corefbench``."""

from corefbench.cli.main import main

if __name__ == "__main__":
    main()
