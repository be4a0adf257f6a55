"""Coverage-guided fuzzing of one reader: ``python -m tests.fuzz.harness FORMAT FOLDER [options]``.

FOLDER keeps the inputs that led somewhere new; options are libFuzzer's. An input that breaks an
invariant is put beside it, once for every place in the code, and fuzzing goes on.
``tests.fuzz.run`` runs this for every reader. Needs the extra ``fuzz``.
"""

import hashlib
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

LONGEST = 8_192


def recorded(answer: Callable[[bytes], None], stem: Path) -> Callable[[bytes], None]:
    """``answer``, which writes what it cannot answer to a file instead of ending the run."""
    known: set[str] = set()

    def careful(content: bytes) -> None:
        try:
            answer(content)
        except Exception as error:
            places = [f"{f.filename}:{f.lineno}" for f in traceback.extract_tb(error.__traceback__)]
            kind = f"{type(error).__name__} {places[-1]} {_gist(error)}"
            if kind not in known:
                known.add(kind)
                name = f"{stem}-{hashlib.sha256(kind.encode()).hexdigest()[:12]}"
                Path(name + ".bin").write_bytes(content)
                Path(name + ".txt").write_text(traceback.format_exc(), encoding="utf-8")

    return careful


def _gist(error: Exception) -> str:
    """What was said, without names and numbers."""
    return " ".join(w for w in str(error).split("\n")[0].split() if w.isalpha())[:80]


def main() -> None:
    import atheris

    with atheris.instrument_imports(include=["corefbench"]):  # so nothing of it before
        from corefbench.formats import formats

        for name in formats:
            formats[name]()
        import corefbench.formats.load  # noqa: F401

    from tests.fuzz.invariants import Target
    from tests.fuzz.seeds import dictionary, seeds

    name, folder, *options = sys.argv[1:]
    place, found = Path(folder), list(seeds(name))
    place.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(found):
        (place / f"seed-{number}").write_bytes(seed)
    words = place.parent / f"{name}.dict"
    words.write_text(dictionary(found), encoding="ascii")
    arguments = [sys.argv[0], folder, f"-dict={words}", f"-max_len={LONGEST}", *options]
    answer = recorded(Target(name).answer, place.parent / f"finding-{name}")
    atheris.Setup(arguments, answer)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
