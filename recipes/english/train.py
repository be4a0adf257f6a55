"""Train the pipeline `en` and write the shipped folder.

DATA holds ``ud-ewt/`` and ``gum/``; WORK takes the training files and the checkpoints. The best
checkpoint becomes the folder that the package ships.
"""

import re
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import srsly
from spacy.language import Language
from spacy.strings import StringStore
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_loop
from spacy.util import (
    compile_infix_regex,
    compile_prefix_regex,
    compile_suffix_regex,
    load_config,
    load_model,
    registry,
)
from thinc.api import NumpyOps, set_current_ops

from recipes.english import treebank

# A run of the same mark is one token ("!!!", "_____", "<<").
RUNS = [r"[!?]+", r"\*{2,}", r"_{2,}", r"={2,}", r"~{2,}", r"#{2,}", r"<{2,}", r">{2,}", r"-{2,}"]
# Bound prefixes stay with their word ("non-avian"); free ones are split ("self - made").
BOUND = (
    "anti|bi|co|counter|cross|de|e|ex|extra|hyper|inter|intra|macro|mega|meta|micro|mid|mini|multi|"
    "neo|non|over|para|poly|post|pre|pro|proto|pseudo|quasi|re|semi|sub|super|trans|tri|ultra|un|"
    "under|uni|vice"
)
WHOLE = [
    rf"(?:{BOUND})[-‐][a-z]+",
    r"\d{3}[-.]\d{3}[-.]\d{4}|\d{3}-\d{4}|\d-\d{3}-\d{3}-\d{4}",  # telephone numbers
    r"#[a-z_]\w+",
]
SPLIT = [r"(?<=[A-Za-z])-(?=[0-9])", r"(?<=[0-9\]])[–—](?=[0-9\[])"]
SPECIAL = {
    "and/or": ["and", "/", "or"],
    "wanna": ["wan", "na"],
    "Wanna": ["Wan", "na"],
    **{word: [word] for word in ("al.", "Ft.", "ft.", "Lt.", "eds.", "ed.")},
    **{day: [day] for day in ("Mon.", "Tue.", "Tues.", "Wed.", "Thu.", "Thur.", "Fri.", "Sun.")},
}
# Contractions in capitals and after any word ("DON'T", "guys'll"), with any apostrophe.
CLITICS = [r"(?<=[a-z])(?:n['’`]t|['’`](?:ll|re|ve|d|m|s))", r"(?<=[A-Z])(?:N['’`]T|['’`](?:LL|RE|VE|D|M|S))"]


def ud_tokens() -> Callable[[Language], Language]:
    """For ``initialize.before_init``: the rules become part of the saved tokenizer."""
    return adapt


def adapt(nlp: Language) -> Language:
    """Change the tokenizer of a pipeline."""
    defaults, tokenizer = nlp.Defaults, nlp.tokenizer
    prefixes = [r"#(?![A-Za-z])" if rule == "#" else rule for rule in defaults.prefixes or []]
    tokenizer.prefix_search = compile_prefix_regex([*RUNS, *prefixes]).search
    tokenizer.suffix_search = compile_suffix_regex([*RUNS, *CLITICS, *(defaults.suffixes or [])]).search
    tokenizer.infix_finditer = compile_infix_regex([*(defaults.infixes or []), *SPLIT]).finditer
    tokenizer.token_match = re.compile(f"(?:{'|'.join(WHOLE)})$", re.IGNORECASE).match
    for text, words in SPECIAL.items():
        tokenizer.add_special_case(text, [{"ORTH": word} for word in words])
    return nlp


LICENCE = """\
The files in this folder are licensed under the Creative Commons Attribution-ShareAlike 4.0
International licence (CC BY-SA 4.0): https://creativecommons.org/licenses/by-sa/4.0/legalcode

They are weights and tables derived from the annotated texts that NOTICE names. The program that
reads them is licensed separately, under the Apache License 2.0.
"""

NOTICE = """\
The pipeline `en` of corefbench was trained on parts of these corpora:

Universal Dependencies English Web Treebank (EWT), train
  Licence: CC BY-SA 4.0, https://creativecommons.org/licenses/by-sa/4.0/
  Natalia Silveira, Timothy Dozat, Marie-Catherine de Marneffe, Samuel Bowman, Miriam Connor,
  John Bauer and Christopher D. Manning (2014): A Gold Standard Dependency Corpus for English.
  LREC 2014. https://github.com/UniversalDependencies/UD_English-EWT

Georgetown University Multilayer corpus (GUM), train, the genres academic, bio, court, interview,
news, speech, textbook, vlog and voyage
  Annotation: CC BY 4.0, https://creativecommons.org/licenses/by/4.0/
  Texts: CC BY 4.0 (academic, court), CC BY 2.5 (news, interviews), CC BY-SA 3.0 (biographies,
  travel guides); textbooks, vlogs and speeches: from the sources in the documents' metadata, not
  named in the corpus's licence file.
  Amir Zeldes (2017): The GUM Corpus: Creating Multilayer Resources in the Classroom. Language
  Resources and Evaluation 51(3), 581-612. Annotators: https://gucorpling.org/gum/

No text of the genres under a non-commercial licence (essay, fiction, letter, podcast, whow), none
of the conversations (from the Santa Barbara Corpus) and none from Reddit was used.
Changes: the annotation was turned into statistical weights; no sentence of the corpora is included.
"""


VERSION = "1.0.0"
CONFIG = Path(__file__).with_name("config.cfg")
SEED = 0
PACKAGE = Path(__file__).parents[2] / "src" / "corefbench" / "preprocess" / "models" / "en"
RUN_TIME_SECTIONS = ("nlp", "components")
# Vectors, their keys and lookup tables: the pipeline has none.
UNUSED = ("vocab/key2row", "vocab/vectors", "vocab/vectors.cfg", "vocab/lookups.bin")


def ship(model: Path, corpora: Path, seed: int, folder: Path = PACKAGE) -> None:
    """Write the folder anew; the dev scores are those of the training run."""
    nlp = load_model(model)
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    nlp.to_disk(folder, exclude=["vocab"])
    (folder / "vocab").mkdir()
    srsly.write_json(folder / "vocab" / "strings.json", needed_strings(nlp))
    _keep_run_time_sections(folder / "config.cfg")
    srsly.write_json(folder / "meta.json", _card(nlp, corpora, seed))
    (folder / "LICENSE").write_text(LICENCE, encoding="utf-8")
    (folder / "NOTICE").write_text(NOTICE, encoding="utf-8")


def needed_strings(nlp: Language) -> list[str]:
    """Labels, and the pieces of words that the lemmatiser's edit trees refer to by hash."""
    lemmatizer = nlp.get_pipe("trainable_lemmatizer")
    trees = srsly.msgpack_loads(lemmatizer.trees.to_bytes())["trees"]
    pieces = {tree[key] for tree in trees for key in ("orig", "subst") if key in tree}
    strings = {nlp.vocab.strings[piece] for piece in pieces if piece in nlp.vocab.strings}
    for _, component in nlp.pipeline:
        strings.update(str(label) for label in getattr(component, "labels", ()))
    return sorted(StringStore(sorted(strings)))


def _keep_run_time_sections(path: Path) -> None:
    config = load_config(path)
    for section in set(config) - set(RUN_TIME_SECTIONS):
        del config[section]
    config.to_disk(path)


def _card(nlp: Language, corpora: Path, seed: int) -> dict[str, Any]:
    scores = {
        name: round(value, 4)
        for name, value in nlp.meta["performance"].items()
        if isinstance(value, float) and value and "loss" not in name
    }
    return {
        "lang": "en",
        "name": "corefbench",
        "version": VERSION,
        "spacy_version": ">=3.8.0,<3.9.0",
        "description": "English tagger, lemmatiser, parser and entity recogniser of corefbench",
        "author": "The corefbench authors",
        "license": "CC BY-SA 4.0",
        "sources": treebank.SOURCES,
        "data_sha256": treebank.hashes(corpora),
        "seed": seed,
        "performance": scores,
        "pipeline": nlp.pipe_names,
        "components": nlp.pipe_names,
        "disabled": [],
        "vectors": {"width": 0, "vectors": 0, "keys": 0, "name": None},
    }


def train(corpora: Path, work: Path) -> Path:
    """The folder of the best checkpoint, by the scores that ``config.cfg`` weighs."""
    treebank.prepare(corpora, work / "data", SEED)
    overrides = {
        "paths.train": str(work / "data" / "train.spacy"),
        "paths.dev": str(work / "data" / "dev.spacy"),
        "system.seed": SEED,
    }
    # NumPy's own matrix product is about three times as fast as the one that thinc bundles.
    set_current_ops(NumpyOps(use_blis=False))
    registry.callbacks.register("corefbench.ud_tokens.v1", func=ud_tokens)
    nlp = init_nlp(load_config(CONFIG, overrides=overrides, interpolate=False))
    (work / "model").mkdir(exist_ok=True)
    train_loop(nlp, work / "model", stdout=sys.stderr, stderr=sys.stderr)
    return work / "model" / "model-best"


def main(words: Sequence[str]) -> None:
    """``DATA WORK``; with ``MODEL`` as well, only ship that trained pipeline."""
    data, work, *model = map(Path, words)
    ship(model[0] if model else train(data, work), data, SEED)
