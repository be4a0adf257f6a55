"""Other coreference packages, loaded here or served to corefbench from their own environment.

Usage: python worker.py SYSTEM OPTIONS, the options as JSON. The first line of output is a greeting,
or the reason why the system cannot be loaded; each further line answers one line of documents, as
JSON. The process exits at the end of its input.

This file imports nothing but the standard library and the package it adapts, and runs on Python 3.8
and later, because it is started by another Python than the one that runs corefbench.

document  {"name", "text", "words", "offsets", "sentences", "speakers", "mentions"}
answer    {"unit": "tokens" | "characters", "chains": [[[start, end], …], …],
           "links": [[mention, antecedent, confidence], …], "lost": {reason: how many},
           "heads": whether mentions are only the heads of their phrases}

Spans are half-open. Whatever a system has but cannot place is counted in ``lost``.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
import traceback
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

FAILURES = (Exception, SystemExit)
"""Other packages may raise anything, and some call ``sys.exit`` if data are missing."""
_SPACY_CHAIN = re.compile(r"coref_clusters_\d+")


class System:
    """A loaded package: a callable from documents to answers in their order."""

    version: str

    def __init__(self, options: dict[str, Any]) -> None:
        self.words = options["sends"] == "tokens"
        self.unit = "tokens" if self.words else "characters"

    def __call__(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [self.answer(document) for document in documents]

    def answer(self, document: Any) -> dict[str, Any]:
        raise NotImplementedError


class FastCoref(System):
    """F-coref and LingMess, on words or on text."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        package = import_module("fastcoref")
        lingmess = "lingmess" in options["model"].lower()
        self._model = (package.LingMessCoref if lingmess else package.FCoref)(
            model_name_or_path=options["model"],
            device=options["device"] or None,
            nlp=None if self.words else "en_core_web_sm",
            enable_progress_bar=False,
        )
        self.version = installed_version("fastcoref")

    def __call__(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        texts = [document["words" if self.words else "text"] for document in documents]
        results = self._model.predict(texts=texts, is_split_into_words=self.words)
        # The package leaves out documents that are longer than the model takes.
        by_index = {int(result.text_idx): result for result in results}
        lost = {"documents longer than the model takes, which it skipped": 1}
        skipped = {"unit": "tokens", "chains": [], "lost": lost}
        return [self.answer(by_index[n]) if n in by_index else skipped for n in range(len(documents))]

    def answer(self, document: Any) -> dict[str, Any]:
        chains, links, lost = [], [], 0
        for cluster in document.get_clusters(as_strings=False):
            # A span on a special token has no place in the text.
            spans = sorted((int(s[0]), int(s[1])) for s in cluster if s is not None)
            lost += len(cluster) - len(spans)
            chains.append(spans)
            # Spans of word pieces may be the same words.
            distinct = sorted(set(spans))
            links += [self._link(document, distinct, n) for n in range(1, len(distinct))]
        return {
            "unit": self.unit,
            "chains": chains,
            "links": links,
            "lost": {"spans on special tokens": lost} if lost else {},
        }

    @staticmethod
    def _link(result: Any, spans: list[tuple[int, int]], number: int) -> tuple[Any, Any, float]:
        """Return the best antecedent and its probability against that of no antecedent.

        The score of no antecedent is 0, so the probability is the logistic function of the pair's.
        """
        score, best = max((float(result.get_logit(spans[n], spans[number])), n) for n in range(number))
        probability = 1 / (1 + math.exp(-score)) if score > -700 else 0.0
        return spans[number], spans[best], probability


class Maverick(System):
    """Maverick: always on words and sentences, and on given mentions where there are any.

    Its character offsets are not used: they take sentences to be one character apart.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        self._model = import_module("maverick").Maverick(
            hf_name_or_path=options["model"], device=options["device"] or "cpu"
        )
        self._singletons = bool(options["singletons"])
        self.version = installed_version("maverick-coref")

    def answer(self, document: Any) -> dict[str, Any]:
        words, sentences = document["words"], document["sentences"]
        speakers, mentions = document["speakers"], document["mentions"]
        options: dict[str, Any] = {}
        if speakers is not None:
            options["speakers"] = [[name or "-" for name in speakers[start:end]] for start, end in sentences]
        if mentions is not None:
            options["predefined_mentions"] = [(start, end - 1) for start, end in mentions]
        prediction = self._model.predict(
            [words[start:end] for start, end in sentences], singletons=self._singletons, **options
        )
        clusters = prediction["clusters_token_offsets"]
        return {"unit": "tokens", "chains": [[[int(first), int(last) + 1] for first, last in c] for c in clusters]}


class StanzaCoref(System):
    """Stanza's coreference processor. It is told not to download: a run uses what is on disk."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        more_options: dict[str, Any] = {"device": options["device"]} if options["device"] else {}
        if options["model"]:
            more_options["package"] = {"coref": options["model"]}
        self._pipeline = import_module("stanza").Pipeline(
            options["language"],
            processors="tokenize,coref",
            tokenize_pretokenized=self.words,
            download_method=None,
            **more_options,
        )
        self.version = installed_version("stanza")

    def answer(self, document: Any) -> dict[str, Any]:
        source = document["text"]
        if self.words:
            source = [document["words"][start:end] for start, end in document["sentences"]]
        result = self._pipeline(source)
        positions = self._positions(result)
        zeros, chains = 0, []
        for chain in result.coref:
            spans = []
            for mention in chain.mentions:
                # A zero stands between words: its place is a pair of numbers.
                if isinstance(mention.start_word, (tuple, list)):
                    zeros += 1
                else:
                    inside = positions[mention.sentence][mention.start_word : mention.end_word]
                    spans.append([inside[0][0], inside[-1][1]])
            chains.append(spans)
        return {"unit": self.unit, "chains": chains, "lost": {"zeros": zeros} if zeros else {}}

    def _positions(self, result: Any) -> list[list[tuple[int, int]]]:
        """Return the span of every word's token: a token, such as *don't*, may be two words."""
        rows, number = [], 0
        for sentence in result.sentences:
            row = []
            for token in sentence.tokens:
                span = (number, number + 1) if self.words else (token.start_char, token.end_char)
                row += [span] * len(token.words)
                number += 1
            rows.append(row)
        return rows


class SpacyCoref(System):
    """A spaCy pipeline with the coreference components of spacy-experimental."""

    package = "spacy-experimental"

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        import_module(self.package.replace("-", "_"))
        spacy = import_module("spacy")
        if options["device"] and options["device"] != "cpu":
            spacy.require_gpu(int(options["device"].partition(":")[2] or 0))
        self._nlp = spacy.load(options["model"])
        meta = self._nlp.meta
        self.version = f"{installed_version(self.package)}+{meta['lang']}_{meta['name']}-{meta['version']}"

    def __call__(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [self.answer(doc) for doc in self._nlp.pipe(map(self._make_doc, documents))]

    def answer(self, document: Any) -> dict[str, Any]:
        chains = [
            [self._span(document, mention.start, mention.end) for mention in document.spans[key]]
            for key in document.spans
            if _SPACY_CHAIN.fullmatch(key)
        ]
        return {"unit": self.unit, "chains": chains}

    def _make_doc(self, document: dict[str, Any]) -> Any:
        """Make a spaCy document of given words and sentences, or by tokenizing the text."""
        if not self.words:
            return self._nlp.make_doc(document["text"])
        offsets, text = document["offsets"], document["text"]
        begins = [begin for begin, _ in offsets[1:]] + [len(text)]
        starts = {start for start, _ in document["sentences"]}
        return import_module("spacy.tokens").Doc(
            self._nlp.vocab,
            words=[word or "_" for word in document["words"]],
            spaces=[finish < begins[n] for n, (_, finish) in enumerate(offsets)],
            sent_starts=[n in starts for n in range(len(offsets))],
        )

    def _span(self, doc: Any, start: int, end: int) -> list[int]:
        """Convert spaCy tokens to given tokens, or to characters of the text."""
        if self.words:
            return [start, end]
        return [doc[start].idx, doc[end - 1].idx + len(doc[end - 1])]


class Coreferee(SpacyCoref):
    """Coreferee: its mentions are the heads of noun phrases, several for a coordination."""

    package = "coreferee"

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        try:
            component = self._nlp.create_pipe("coreferee")
        except import_module("coreferee.errors").CorefereeError as error:
            raise FileNotFoundError(str(error)) from error
        # The component prints what goes wrong and goes on; its annotator raises it.
        annotator = getattr(component, "annotator", None)
        self._annotate = component if annotator is None else annotator.annotate

    def answer(self, document: Any) -> dict[str, Any]:
        self._annotate(document)
        chains = []
        for chain in document._.coref_chains or ():
            heads = [sorted(mention.token_indexes) for mention in chain]
            chains.append([self._span(document, h[0], h[-1] + 1) for h in heads])
        return {"unit": self.unit, "chains": chains, "heads": True}


SYSTEMS = {
    "fastcoref": FastCoref,
    "maverick": Maverick,
    "stanza-coref": StanzaCoref,
    "spacy-coref": SpacyCoref,
    "coreferee": Coreferee,
}


def installed_version(package: str) -> str:
    """Return the version of a package; ``unknown`` for one that is used without installing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def open_system(name: str, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Load a system; return it, or None, and the greeting or failure."""
    try:
        system = SYSTEMS[name](options)
    except ImportError as error:
        return None, {**failure(error, "package"), "package": error.name or ""}
    except (OSError, SystemExit) as error:
        return None, failure(error, "model")
    except Exception as error:
        return None, failure(error)
    return system, {"version": system.version}


def answer_documents(system: Any, documents: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the answers to documents, or the failure."""
    try:
        return {"answers": system(documents)}
    except FAILURES as error:
        return failure(error)


def failure(error: BaseException, kind: str = "error") -> dict[str, Any]:
    """Describe an error in one line, with the location that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    location = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    message = f"{type(error).__name__}: {error}{location}".encode("utf-8", "replace").decode()
    return {"failed": kind, "said": message[:2000]}


def main() -> None:
    """Load the system, then answer until the input ends."""
    # Python searches the folder of a script first: modules beside this one must not hide packages.
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != folder]
    # Many packages print to standard output, which must not end up between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    system, greeting = open_system(sys.argv[1], json.loads(sys.argv[2]))
    answers.write(json.dumps(greeting) + "\n")
    answers.flush()
    if system is None:
        return
    for line in sys.stdin.buffer:
        answers.write(json.dumps(answer_documents(system, json.loads(line)["documents"])) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
