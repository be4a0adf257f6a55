"""Run a recipe: ``python -m recipes NAME [arguments]``."""

import sys
from importlib import import_module

RECIPES = {
    "train-en": ("english.train", "DATA WORK", "train the pipeline en and ship it"),
    "evaluate-en": ("english.evaluate", "DATA [test|dev] [NAME …]", "measure both pipelines"),
    "train-en-accurate": ("english_accurate.train", "DATA WORK [EPOCHS]", "train en-accurate"),
    "export-en-accurate": ("english_accurate.export", "DATA WORK", "ship en-accurate"),
    "evaluate-en-accurate": ("english_accurate.evaluate", "DATA", "store development scores"),
    "ship-neural": ("neural.ship", "CONFIG MODEL", "ship a trained neural resolver"),
    "animacy": ("knowledge.animacy", "WORDNET TARGET", "make the table of animate nouns"),
    "names": ("knowledge.names", "NAMES WORDNET TARGET", "make the tables of names"),
    "package": ("packaging.build", "[--help]", "build and try the package"),
    "audit": ("packaging.audit", "", "check vulnerabilities and licences of dependencies"),
}


def main(words: list[str]) -> int:
    """Run the recipe that the command line names."""
    if not words or words[0] not in RECIPES:
        lines = [f"  {name} {usage}: {title}" for name, (_, usage, title) in RECIPES.items()]
        sys.stderr.write("\n".join(["usage: python -m recipes NAME [arguments]", *lines, ""]))
        return 2
    module, _, _ = RECIPES[words[0]]
    return int(import_module(f"recipes.{module}").main(words[1:]) or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
