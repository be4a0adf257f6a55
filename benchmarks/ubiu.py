"""Tables 5 and 6 of Kübler & Zhekova 2011 on free data: ``python -m benchmarks ubiu``.

UBIU is trained on GUM, whose key has singletons as the data of SemEval-2010 had, and on OntoGUM,
whose key has none, as that of CoNLL-2011; all settings of singletons are scored by the scorers of
both tasks and by the one that took their place. Writes docs/results/ubiu.md.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.page import Page, markdown_table

if TYPE_CHECKING:
    from corefbench.analysis.singletons import SingletonStudy
    from corefbench.corpus.corpus import Corpus

_MEASURES = {"mentions": "IM", "muc": "MUC", "b_cubed": "B³", "ceaf_e": "CEAFe", "blanc": "BLANC"}
_DATA = {"gum": ("G+S/S+S", "G+S/S-S", "G-S/S+S", "G-S/S-S"), "ontogum": ("G-S/S+S", "G-S/S-S")}
_VARIANTS = ("AllS", "NoS", "PronS", "AttP")
_PAPER = {
    ("semeval-2010", "AllS"): (31.12, 27.85, 23.57, 6.91, 22.85),
    ("semeval-2010", "NoS"): (46.50, 30.23, 27.19, 24.22, 37.61),
    ("semeval-2010", "PronS"): (49.69, 30.23, 29.20, 24.93, 38.33),
    ("semeval-2010", "AttP"): (40.78, 17.27, 20.10, 21.13, 32.64),
    ("conll-2011", "AllS"): (30.66, 27.26, 66.12, 35.47, 54.80),
    ("conll-2011", "NoS"): (44.59, 27.30, 64.78, 36.94, 55.67),
    ("conll-2011", "PronS"): (47.83, 27.30, 64.78, 36.94, 55.67),
    ("conll-2011", "AttP"): (39.18, 15.45, 54.34, 28.39, 52.36),
}
"""F1 of Table 6, on OntoNotes."""


def run(arguments: argparse.Namespace) -> Page:
    """Train, resolve, score."""
    with TemporaryDirectory() as scratch:
        folder = arguments.models or Path(scratch)
        studies, notes = {}, []
        for name in _DATA:
            studies[name], note = _study(name, arguments.part, folder, arguments.preprocess)
            notes.append(note)
    text = _page(studies, notes, arguments.part, arguments.preprocess)
    return Page("ubiu", text)


def _study(name: str, part: str, folder: Path, preprocess: str) -> tuple["SingletonStudy", str]:
    from corefbench.analysis.singletons import singletons
    from corefbench.resolvers.checkpoint import load_card
    from corefbench.resolvers.training.config import load_corpus

    model = folder / name
    seconds = 0.0
    if not (model / "model.json").exists():
        seconds = _train(name, model, preprocess)
    key = load_corpus(f"{name}/{part}")
    began = time.process_time()
    response = _respond(model, key)
    took = time.process_time() - began
    learned = f"trained in {seconds:.0f} CPU-s, " if seconds else ""
    note = (
        f"* **{name}**: {_pairs(model)}; {learned}{len(key)} documents of {part} resolved in "
        f"{took:.0f} CPU-s; data {', '.join(load_card(model).data.values())}"
    )
    return singletons(key, response), note


def _train(name: str, model: Path, preprocess: str) -> float:
    from corefbench.resolvers.training import CorpusSource, TrainingConfig, train

    began = time.process_time()
    config = TrainingConfig(
        kind="ubiu", train=(CorpusSource(corpus=f"{name}/train"),), preprocess=preprocess, model={"singletons": "all"}
    )
    train(config, model, lambda line: print(name, line))
    return time.process_time() - began


def _respond(model: Path, key: "Corpus") -> "Corpus":
    from corefbench.resolvers.predict import predict

    return predict(model, key)


def _pairs(model: Path) -> str:
    from corefbench.resolvers.checkpoint import load_model

    labels = load_model(model)[1]["labels"]
    return f"{len(labels):,} pairs to learn from, {int(labels.sum()):,} of them coreferent"


def _page(studies: "dict[str, SingletonStudy]", notes: list[str], part: str, preprocess: str) -> str:
    five = [
        row
        for name, settings in _DATA.items()
        for profile in studies[name].results
        for row in _rows(studies[name], profile, settings, f"{name}, {profile}")
    ]
    study = studies["ontogum"]
    six = [row for profile in study.results for row in _rows(study, profile, _VARIANTS, profile)]
    return _HEAD.format(
        part=part,
        preprocess=preprocess,
        notes="\n".join(notes),
        five=markdown_table(_header(), five),
        six=markdown_table(_header(), six),
        beside=markdown_table(
            ["scorer, setting", *(f"{m}: paper → here" for m in _MEASURES.values())], list(_beside(study))
        ),
        before=100 * study["semeval-2010"]["NoS"]["muc"].f1,
        after=100 * study["semeval-2010"]["AttP"]["muc"].f1,
        sentences="\n".join(f"* {sentence}" for sentence in study.explanation(6)),
    )


def _header() -> list[str]:
    return ["data, scorer, setting", *(f"{m} {s}" for m in _MEASURES.values() for s in "RPF")]


def _rows(study: "SingletonStudy", profile: str, settings: tuple[str, ...], title: str) -> Iterator[list[str]]:
    for setting in settings:
        result = study[profile][setting]
        scores = [result[measure] for measure in _MEASURES]
        cells = [f"{100 * v:.2f}" for s in scores for v in (s.recall, s.precision, s.f1)]
        yield [f"{title}, {setting}", *cells]


def _beside(study: "SingletonStudy") -> Iterator[list[str]]:
    for (profile, setting), printed in _PAPER.items():
        result = study[profile][setting]
        scores = [100 * result[measure].f1 for measure in _MEASURES]
        cells = [f"{old:.1f} → {new:.1f}" for old, new in zip(printed, scores, strict=True)]
        yield [f"{profile}, {setting}", *cells]


_HEAD = """# UBIU

`python -m benchmarks ubiu --part {part}`

Tables 5 and 6 of Kübler & Zhekova (2011) rebuilt on data that anyone can get: UBIU (mention pairs
within three sentences, fourteen features, IB1 with gain ratio and k = 3, best-first links) trained
on the train part of GUM, whose key has singletons, and of OntoGUM, whose key has none; noun phrases
by `{preprocess}`. Scored on {part}.

{notes}

## Table 5: singletons in key and response

{five}

## Table 6: what is done with singletons that are pronouns (OntoGUM)

{six}

## The paper's F1 beside ours

{beside}

{sentences}

What is as in the paper: mentions are over-generated, so with all singletons (AllS) mention recall
is high and precision low; taking singletons out (NoS) raises mention precision; by the scorer of
SemEval-2010 that moves B³, CEAFe and BLANC, by that of CoNLL-2011, which adds mentions to either
side, hardly; MUC, which sees links only, hardly either; forcing every pronoun to an antecedent
(AttP) costs precision of mentions and links.

What is not: links are more precise here, so that taking singletons out leaves few wrong mentions,
and fewer pronouns are left for AttP: by the scorer of SemEval-2010, MUC goes from {before:.1f} to
{after:.1f} F1, in the paper from 30.2 to 17.3. Training has less than a tenth of the documents that
the paper had (OntoNotes, 2,374), the noun phrases come from a dependency parser in place of a
treebank, verbs are no mentions, and a span that is both a noun phrase and a name is one mention,
where the original kept it twice.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--part", default="dev", choices=("dev", "test"))
    parser.add_argument("--preprocess", default="en-accurate")
    parser.add_argument("--models", type=Path, help="a folder to keep models in")
