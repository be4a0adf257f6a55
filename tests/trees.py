"""Small hand-written trees for tests: a few lines in, a discourse out.

Two notations. CoNLL-U as it is, ten columns separated by TAB or, without TAB, by blanks. Or the
short one, ``form lemma upos xpos head relation [feats] [Type]``: heads count the words of the
sentence from 1, 0 is the root; ``Number=Sing|Person=3`` are features; a last cell in brackets,
``[person]``, is the type of the entity whose words are the base noun phrase of that head::

    Ann   Ann  PROPN NNP 2 nsubj [person]
    slept sleep VERB VBD 0 root

An empty line ends a sentence, a line ``==`` begins a paragraph, ``#`` begins a comment, and a
comment that begins a sentence with ``# heading`` makes it a heading.
"""

from collections.abc import Iterable

from corefbench.preprocess.analysis import Analysis, Entity, Tree
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.preprocess.documents import detokenize
from corefbench.preprocess.syntax import core_span

Mentions = Iterable[tuple[int, int, int | None]]


def analysis(text: str, name: str = "test") -> Analysis:
    """The analysis that a hand-written tree tells."""
    rows: list[dict[str, str]] = []
    sentences: list[tuple[int, int]] = []
    paragraphs: list[int] = []
    headings: list[bool] = []
    start, paragraph, heading = 0, 0, False
    for line in [*text.split("\n"), ""]:
        line = line.strip()
        if line == "==":
            paragraph += 1
        elif line.startswith("#"):
            heading = heading or line == "# heading"
        elif line:
            rows += _row(line)
        elif len(rows) > start:
            sentences.append((start, len(rows)))
            paragraphs.append(paragraph)
            headings.append(heading)
            start, heading = len(rows), False
    return _analysis(name, rows, sentences, paragraphs, headings)


def _row(line: str) -> list[dict[str, str]]:
    cells = line.split("\t") if "\t" in line else line.split()
    if len(cells) == 10:
        names = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "relation", "deps", "misc")
        row = dict(zip(names, cells, strict=True))
        return [] if "-" in row["id"] or "." in row["id"] else [row]
    row = dict(zip(("form", "lemma", "upos", "xpos", "head", "relation"), cells, strict=False))
    for cell in cells[6:]:
        row["type" if cell.startswith("[") else "feats"] = cell.strip("[]")
    return [row]


def _analysis(
    name: str, rows: list[dict[str, str]], sentences: list[tuple[int, int]], paragraphs: list[int], headings: list[bool]
) -> Analysis:
    words = [row["form"] for row in rows]
    laid_out, offsets = detokenize(words, sentences)
    start_of = {token: start for start, end in sentences for token in range(start, end)}
    feats = [row.get("feats", "") for row in rows]
    made = Analysis(
        name=name,
        text=laid_out,
        words=tuple(words),
        offsets=offsets,
        sentences=tuple(sentences),
        paragraphs=tuple(paragraphs),
        headings=tuple(headings),
        lemmas=tuple(row["lemma"] for row in rows),
        upos=tuple(row["upos"] for row in rows),
        xpos=tuple(row["xpos"] for row in rows),
        features=tuple("" if cell == "_" else cell for cell in feats),
        heads=tuple(
            start_of[token] + int(row["head"]) - 1 if int(row["head"]) else -1 for token, row in enumerate(rows)
        ),
        relations=tuple(row["relation"] for row in rows),
        pipeline="by hand",
    )
    return _with_entities(made, {t: row["type"] for t, row in enumerate(rows) if "type" in row})


def _with_entities(made: Analysis, types: dict[int, str]) -> Analysis:
    from msgspec.structs import replace

    tree = Tree(made)
    spans = {token: core_span(tree, token) for token in types}
    return replace(made, entities=tuple(Entity(start=a, end=b, type=types[token]) for token, (a, b) in spans.items()))


def discourse(text: str, mentions: Mentions | None = None) -> Discourse:
    """The discourse of a hand-written tree."""
    return build_discourse(analysis(text), mentions)


def phrase(of: Discourse, text: str, nth: int = 0) -> Phrase:
    """The n-th phrase with this text, in the order of the phrases."""
    found = [phrase for phrase in of.phrases if of.text_of(phrase) == text]
    if nth >= len(found):
        known = ", ".join(of.text_of(phrase) for phrase in of.phrases)
        raise LookupError(f"no phrase {text!r} (number {nth}); there are: {known}")
    return found[nth]
