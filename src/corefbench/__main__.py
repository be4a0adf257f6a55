"""``python -m corefbench``, and the installed command."""

from typing import NoReturn


def main() -> NoReturn:
    """Run the command line."""
    # Worker processes import this module again, but need no command line.
    from corefbench.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
