"""Make the shipped folder of the neural resolver.

Thresholds that the model does not have yet are chosen first, on the development corpora of the
configuration; ``COREFBENCH_DATA`` names the folder of the corpora.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from corefbench.resolvers.checkpoint import ModelCard, load_card, load_model, save_model
from corefbench.resolvers.neural.model import ENCODER
from corefbench.resolvers.neural.resolver import SHIPPED_WEIGHTS
from corefbench.resolvers.training import TrainingConfig, read_config


def model_card(card: ModelCard, weights: Path) -> str:
    """The page, from what the model says of itself."""
    return _PAGE.format(
        schemes=", ".join(card.config["shape"]["schemes"]),
        scheme=card.config["scheme"],
        layers=card.config["shape"]["layers"],
        shape=_rows(card.config["shape"]),
        data="\n".join(f"| `{name}` | `{content}` |" for name, content in card.data.items()),
        decoding="\n".join(
            f"| {scheme} | {how['threshold']} | {how['bias']} | {how['given']} | {100 * card.scores[scheme]:.2f} |"
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


LICENCE = """\
The files in this folder are licensed under the Creative Commons Attribution-ShareAlike 4.0
International licence (CC BY-SA 4.0): https://creativecommons.org/licenses/by-sa/4.0/legalcode

They are weights derived from the annotated texts that NOTICE names. The program that reads them is
licensed separately, under the Apache License 2.0.
"""

NOTICE = """\
The weights of the resolver `neural` of corefbench were trained on parts of these corpora:

LitBank, fold 0, train
  Licence: CC BY 4.0, https://creativecommons.org/licenses/by/4.0/; the novels are in the public
  domain in the United States.
  David Bamman, Olivia Lewke and Anya Mansoor (2020): An Annotated Dataset of Coreference in English
  Literature. LREC 2020. https://github.com/dbamman/litbank

Georgetown University Multilayer corpus (GUM) and OntoGUM, train, the genres academic, bio, court,
interview, news, speech, textbook, vlog and voyage
  Annotation: CC BY 4.0, https://creativecommons.org/licenses/by/4.0/
  Texts: CC BY 4.0 (academic, court), CC BY 2.5 (news, interviews), CC BY-SA 3.0 (biographies,
  travel guides); textbooks, vlogs and speeches: from the sources in the documents' metadata, not
  named in the corpus's licence file.
  Amir Zeldes (2017): The GUM Corpus: Creating Multilayer Resources in the Classroom. Language
  Resources and Evaluation 51(3), 581-612. Annotators: https://gucorpling.org/gum/
  Yilun Zhu, Sameer Pradhan and Amir Zeldes (2021): OntoGUM: Evaluating Contextualized SOTA
  Coreference Resolution on 12 More Genres. ACL-IJCNLP 2021.

No text of the genres under a non-commercial licence (essay, fiction, letter, podcast, whow), none
of the conversations (from the Santa Barbara Corpus) and none from Reddit was learned from. The
development parts of both corpora, with all genres of GUM, chose the epoch and the thresholds.
Changes: the annotation was turned into statistical weights; no sentence of the corpora is included.

The weights of the encoder, and its tokeniser, are made from all-mpnet-base-v2 (Apache License 2.0):
  https://huggingface.co/sentence-transformers/all-mpnet-base-v2, itself made from Microsoft's MPNet
  (MIT): Kaitao Song, Xu Tan, Tao Qin, Jianfeng Lu and Tie-Yan Liu (2020): MPNet: Masked and
  Permuted Pre-training for Language Understanding. NeurIPS 2020.
  Licence: http://www.apache.org/licenses/LICENSE-2.0
  Changes: the upper six of its twelve layers are left out, the third to the sixth were trained
  further, and the weights are rounded.
"""


SCHEME = "ontogum"
"""What is followed unless users say otherwise: all kinds of entities, and only what is mentioned
more than once, as in OntoNotes, so that answers compare with those of other resolvers. ``gum``
marks every noun phrase, ``litbank`` knows six types of entities."""


def ship(config: TrainingConfig, model: Path, folder: Path = SHIPPED_WEIGHTS) -> ModelCard:
    """Write the folder anew."""
    card = _calibrated(config, model)
    made = replace(card, config={**card.config, "scheme": SCHEME}, licence=config.licence)
    save_model(folder, made, load_model(model)[1])
    shutil.copytree(model / ENCODER, folder / ENCODER, dirs_exist_ok=True)
    for name, text in {
        "LICENSE": LICENCE,
        "NOTICE": NOTICE,
        "MODEL.md": model_card(made, folder / "weights.safetensors"),
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    return made


def _calibrated(config: TrainingConfig, model: Path) -> ModelCard:
    """The card, with thresholds for every scheme that the configuration has documents for."""
    from corefbench.resolvers.neural.training import calibrate_checkpoint, load_by_scheme

    card = load_card(model)
    known = card.config.get("decoding", {})
    missing = [s for s in (*config.dev, *config.calibrate) if s.scheme not in known]
    return calibrate_checkpoint(model, load_by_scheme(missing), print) if missing else card


def main(words: Sequence[str]) -> None:
    """``CONFIG MODEL``."""
    config, model = words
    ship(read_config(Path(config)), Path(model))
