"""Quality and speed of the neural resolver.

Scores LitBank, GUM, OntoGUM, GENTLE and GAP, gives it detected and gold mentions as Chen et al.
2018 did, and resolves a book of 100,000 words in a process of its own. Without MODEL, the weights
that are shipped. Writes docs/results/within-document.md; ``--part dev`` prints only.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.page import Page, markdown_table

if TYPE_CHECKING:
    from corefbench.bench.judge import GapScore
    from corefbench.resolvers.checkpoint import ModelCard
    from corefbench.resolvers.training import CorpusSource
    from corefbench.scoring.result import Result


_BOOK_WORDS = 100_000
_MEASURE_CHILD = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


class Book(NamedTuple):
    """What resolving it took."""

    words: int
    seconds: float
    """Of the processor, from the start of the command to its end."""
    peak: float
    """In megabytes."""

    @property
    def speed(self) -> float:
        """Words a second."""
        return self.words / self.seconds if self.seconds else 0.0


def resolved_book(model: Path, words: int = _BOOK_WORDS) -> Book:
    """Resolve the book and write its chains."""
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "book.txt"
        text, count = book_text(words)
        path.write_text(text, encoding="utf-8")
        command = [
            sys.executable, "-m", "corefbench", "resolve", str(path), "--resolver",
            f"neural(model={model})", "--output", str(Path(scratch) / "book.conll"),
        ]  # fmt: skip
        one_core = os.environ | {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
        process = subprocess.run(
            [sys.executable, "-c", _MEASURE_CHILD, *command], env=one_core, capture_output=True, check=True
        )
    seconds, peak = map(float, process.stdout.split())
    return Book(words=count, seconds=seconds, peak=peak / 1024)


def book_text(words: int = _BOOK_WORDS) -> tuple[str, int]:
    """The openings of LitBank's training novels as one text, and how many words it has."""
    from corefbench.preprocess.documents import make_input
    from corefbench.resolvers.training.config import load_corpus

    parts, count = [], 0
    for document in load_corpus("litbank/0/train"):
        if count >= words:
            break
        document_input = make_input(document)
        parts.append(document_input.text)
        count += len(document_input.offsets or ())
    return "\n\n".join(parts) + "\n", count


_MEASURES = {"mentions": "mentions", "muc": "MUC", "b_cubed": "B³", "ceaf_e": "CEAFe", "lea": "LEA"}
_GAP = {"dev": "gap/validation", "test": "gap/test"}
_GIVEN = {"detected": "detected", "gold": "all gold", "non-singleton gold": "non-singleton gold"}
_PAPER = {"detected": 77.3, "gold": 81.6, "non-singleton gold": 89.2}
"""Chen et al. 2018, Table 6: EE2E-Coref on PreCo."""


def run(arguments: argparse.Namespace) -> Page:
    """Score, measure."""
    text = _page(arguments.model, arguments.part, book=not arguments.no_book)
    return Page("within-document", text, is_complete=arguments.part == "test")


def _page(model: Path, part: str, *, book: bool) -> str:
    from corefbench.resolvers.checkpoint import load_card

    card = load_card(model)
    results = {title: _score(model, source) for title, source in _corpora(part).items()}
    measured = resolved_book(model) if book else Book(words=0, seconds=0, peak=0)
    return _TEXT.format(
        command="python -m benchmarks neural" + (" --part dev" if part == "dev" else ""),
        looked="looked at after all choices were made" if part == "test" else "not test data",
        schemes=_decoding(card),
        part=part,
        scores=markdown_table(_header(), [_row(title, result) for title, result in results.items()]),
        signatures="\n".join(f"* {t}: `{r.signature}`" for t, r in results.items()),
        gap=markdown_table(["GAP", "R", "P", "F1"], list(_gap_rows(_gap(model, _GAP[part])))),
        oracle=markdown_table(["mentions", *_ORACLES, "PreCo, EE2E (printed)"], _oracles(model, part)),
        words=f"{measured.words:,}",
        speed=f"{measured.speed:,.0f}",
        peak=f"{measured.peak / 1000:.2f}",
        data="\n".join(f"* `{name}` `{content}`" for name, content in card.data.items()),
    )


def _corpora(part: str) -> "dict[str, CorpusSource]":
    from corefbench.resolvers.training import CorpusSource

    def ontogum(part: str) -> CorpusSource:
        # The files of OntoGUM have no sentences; those of GUM have the same words.
        # One of GENTLE closes a bracket that it never opened, which is passed over.
        also = {"ontogum": f"ontogum/{part}"}
        return CorpusSource(corpus=f"gum/{part}", scheme="ontogum", also=also, lenient=True)

    sources = {
        "LitBank, fold 0": CorpusSource(corpus=f"litbank/0/{part}", scheme="litbank"),
        "GUM": CorpusSource(corpus=f"gum/{part}", scheme="gum"),
        "OntoGUM": ontogum(part),
    }
    if part == "test":
        sources["GENTLE, OntoGUM scheme"] = ontogum("test2")
        sources["GENTLE, GUM scheme"] = CorpusSource(corpus="gum/test2", scheme="gum")
    return sources


def _score(model: Path, source: "CorpusSource") -> "Result":
    """Words and sentences are given, mentions and chains are found."""
    from corefbench.resolvers.neural.decoding import decode
    from corefbench.resolvers.neural.model import load_cached
    from corefbench.resolvers.neural.resolver import decoding_config, keeps_singletons
    from corefbench.resolvers.neural.training import load_examples
    from corefbench.scoring.api import score_clusters

    card, network = load_cached(model)
    scheme = source.scheme
    how, keeps = decoding_config(card, scheme), keeps_singletons(card, scheme)
    key, response = {}, {}
    for example in load_examples(source):
        chains = decode(network, example, scheme, threshold=how.threshold, bias=how.bias).chains()
        key[example.name] = [list(chain) for chain in example.chains[scheme]]
        response[example.name] = [chain for chain in chains if keeps or len(chain) > 1]
    return score_clusters(key, response)


def _header() -> list[str]:
    return ["", *(f"{m} {s}" for m in _MEASURES.values() for s in ("R", "P", "F1")), "CoNLL"]


def _row(title: str, result: "Result") -> list[str]:
    scores = [result[measure] for measure in _MEASURES]
    cells = [f"{100 * v:.1f}" for s in scores for v in (s.recall, s.precision, s.f1)]
    return [title, *cells, f"**{100 * result.conll.f1:.2f}**" if result.conll else "–"]


def _gap(model: Path, name: str) -> "GapScore":
    from corefbench.bench.judge import GapScore
    from corefbench.bench.plan import Plan
    from corefbench.bench.run import run_bench
    from corefbench.resolvers.training.config import load_corpus

    results = run_bench(load_corpus(name), Plan(resolvers=(f"neural(model={model})",)))
    return results.performances[0].gap or GapScore()


def _gap_rows(score: "GapScore") -> Iterator[list[str]]:
    parts = {"masculine": score.masculine, "feminine": score.feminine, "all": score.overall}
    for title, counts in parts.items():
        figures = (counts.recall, counts.precision, counts.f1)
        yield [title, *(f"{100 * value:.1f}" for value in figures)]
    yield ["bias (feminine ÷ masculine)", "", "", f"{score.bias or 0:.2f}"]


_ORACLES = {"LitBank": ("litbank/0/{}", "litbank"), "GUM": ("gum/{}", "gum")}


def _oracles(model: Path, part: str) -> list[list[str]]:
    """CoNLL F1 without singletons, by the mentions that were given."""
    from corefbench.bench.oracle import oracle
    from corefbench.resolvers.training.config import load_corpus

    columns = []
    for corpus, scheme in _ORACLES.values():
        name = f"neural(model={model},scheme={scheme})"
        key = load_corpus(corpus.format(part))
        results = oracle(key, [name], mode="annotated", preprocess="en-words", cache=False)
        columns.append({mentions: result.conll for mentions, result in results[name].items()})
    return [
        [title, *(f"{100 * column[mentions].f1:.1f}" for column in columns), f"{_PAPER[mentions]}"]
        for mentions, title in _GIVEN.items()
    ]


def _decoding(card: "ModelCard") -> str:
    rows = card.config.get("decoding", {}).items()
    return markdown_table(
        ["scheme", "a mention from", "bias of none", "bias with given mentions"],
        [[s, *(f"{how[n]:g}" for n in ("threshold", "bias", "given"))] for s, how in rows],
    )


_TEXT = """# Coreference within documents

`{command}`

The resolver `neural` with one set of weights: LitBank fold 0 and the freely licensed genres of GUM,
with OntoGUM's annotation as a third scheme. Words and sentences are given; mentions and chains are
found. Profile `conll-2012`; singletons count on LitBank and GUM and are absent from OntoGUM. Part
{part}, {looked}.

{scores}

Thresholds were chosen on development data:

{schemes}

## Pronouns: GAP

From raw text, pre-processed by `en-accurate`, scheme `ontogum`; nothing of GAP was learned from.

{gap}

## What better mention detection is worth

CoNLL F1 without singletons, as in Table 6 of Chen et al. (2018), with mentions that are detected,
all that the key has, and those of the key that are in chains. Their EE2E-Coref reaches 81.5 on
PreCo, where it learned from 37,000 documents; here, from 197.

{oracle}

## Speed and memory

Raw text to chains, `corefbench resolve book.txt --resolver neural`, one core, processor time, start
included: a book of {words} words at **{speed} words a second**, peak memory **{peak} GB**.

## Data and signatures

{signatures}

Learned from and chosen on:

{data}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from corefbench.resolvers.neural.resolver import SHIPPED_WEIGHTS

    parser.add_argument("model", type=Path, nargs="?", default=SHIPPED_WEIGHTS)
    parser.add_argument("--part", default="test", choices=("dev", "test"))
    parser.add_argument("--no-book", action="store_true", help="do not measure speed and memory")
