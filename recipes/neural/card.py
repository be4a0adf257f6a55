"""The page that lies beside the shipped weights: what they are, and how they came about."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corefbench.resolvers.learned.checkpoint import ModelCard


def model_card(card: ModelCard, weights: Path) -> str:
    """The page, from what the model says of itself."""
    return _PAGE.format(
        schemes=", ".join(card.config["shape"]["schemes"]),
        scheme=card.config["scheme"],
        layers=card.config["shape"]["layers"],
        shape=_rows(card.config["shape"]),
        data="\n".join(f"| `{name}` | `{content}` |" for name, content in card.data.items()),
        decoding="\n".join(
            f"| {scheme} | {how['threshold']} | {how['bias']} | {how['given']} | "
            f"{100 * card.scores[scheme]:.2f} |"
            for scheme, how in card.config.get("decoding", {}).items()
        ),
        licence=card.licence,
        seed=card.seed,
        notes=f" {card.notes}" if card.notes else "",
        version=card.version,
        size=weights.stat().st_size / 1e6,
    )


def _rows(values: Mapping[str, Any]) -> str:
    return "\n".join(f"| `{name}` | {_shown(value)} |" for name, value in values.items())


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


_PAGE = """\
# The English weights of the resolver `neural`

Within-document coreference from raw English text: the lower {layers} layers of MPNet as encoder, a
score for every span as a mention, and antecedents ranked from coarse to fine. {size:.0f} MB, with
the encoder.

    corefbench resolve story.txt --resolver neural
    corefbench resolve story.txt --resolver 'neural(scheme=litbank)'

It knows the schemes {schemes}; `{scheme}` is followed unless another is named, for it has all kinds
of entities and, as OntoNotes and what is trained on it, nothing that is mentioned only once. `gum`
marks every noun phrase, singletons too; `litbank` marks people, places, facilities, organisations
and vehicles, singletons too.

## Data

| corpus | content hash |
| --- | --- |
{data}

Genres of GUM under licences that are not free were not learned from; see NOTICE.

## Scores

Development data, CoNLL F1, with the thresholds that were chosen on them (LitBank and GUM with
singletons, OntoGUM without):

| scheme | mention from | bias of none | with given mentions | CoNLL F1 |
| --- | --- | --- | --- | --- |
{decoding}

Test data, speed and memory are in `docs/results/within-document.md`.

## Recipe

`make train-neural DATA=…`: `examples/training/neural-english.toml`, seed {seed}, corefbench
{version}.{notes}

| shape | |
| --- | --- |
{shape}

## Limits

English only. Letters, conversations, podcasts and how-to guides were not learned from. Mentions
longer than the longest span, discontinuous ones and zeros are never found. First names and titles
carry the gender that English usage gives them: people whose gender differs can be linked wrongly.

## Licence

{licence}; see LICENSE and NOTICE.
"""
