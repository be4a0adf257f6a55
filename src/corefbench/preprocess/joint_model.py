"""The network of ``en-accurate``: words of a few sentences in, everything about them out.

One window at a time. The activations are rounded to 8 bits by the largest of a run, so that in a
batch a text would be read differently beside different neighbours; and on one core a batch is
hardly faster.
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from corefbench.errors import MissingExtra
from corefbench.preprocess.lemma_scripts import lemma_by
from corefbench.preprocess.spanning_tree import best_heads
from corefbench.preprocess.word_pieces import WordPieces, shape_of
from corefbench.record import Floats

_ERRORS_ONLY = 3


class Columns(NamedTuple):
    """What is found about the words of a window, a row for each."""

    upos: list[str]
    xpos: list[str]
    features: list[str]
    lemmas: list[str]
    entities: list[str]
    """``B-person``, ``I-person``, ``O``."""
    starts: list[bool]
    heads: list[int]
    """Counted in the window; -1 is the root."""
    relations: list[str]


class JointModel:
    """The shipped weights, loaded."""

    def __init__(self, folder: Path) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingExtra("onnxruntime and tokenizers", "en-accurate") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        self._session: Any = onnxruntime.InferenceSession(
            folder / "model.onnx", options, providers=["CPUExecutionProvider"]
        )
        self.pieces = WordPieces(Tokenizer.from_file(str(folder / "tokenizer.json")))
        self._classes = _table(folder / "classes.json")
        self._lemmas = _table(folder / "lemmas.json")
        self._relations = self._classes.pop("relation")
        self._root = self._relations.index("root")
        with np.load(folder / "relations.npz") as arrays:
            self._weight, self._bias = arrays["weight"], arrays["bias"]

    def __call__(self, words: list[str], starts: list[bool] | None = None) -> Columns:
        """The columns of a window; sentence starts that are given are kept."""
        arcs, found, dependents, heads, *tasks = (
            scores[0] for scores in self._session.run(None, self._arrays(words))
        )
        if starts is None:
            starts = (found > 0).tolist()
        starts = [True, *starts[1:]]
        places = self._heads(arcs, starts)
        upos, xpos, features, scripts, entities = (
            [classes[number] for number in numbers]
            for classes, numbers in zip(self._classes.values(), tasks, strict=True)
        )
        return Columns(
            upos=upos,
            xpos=xpos,
            features=features,
            lemmas=[self._lemma(*row) for row in zip(words, xpos, scripts, strict=True)],
            entities=entities,
            starts=starts,
            heads=places,
            relations=self._labels(dependents, heads, places),
        )

    def _lemma(self, word: str, tag: str, script: str) -> str:
        """As in the treebanks, else by the instruction that the network chose."""
        known: str | None = self._lemmas.get(tag, {}).get(word.lower())
        return known or lemma_by(script, word.replace("’", "'"))

    def _arrays(self, words: list[str]) -> dict[str, Any]:
        rows = self.pieces(words)
        pieces, shapes, edges = [self.pieces.first], [0], []
        for word, row in zip(words, rows, strict=True):
            edges.append((len(pieces), len(pieces) + len(row) - 1) if row else (0, 0))
            pieces.extend(row)
            shapes.extend([shape_of(word)] * len(row))
        return {
            "pieces": np.array([[*pieces, self.pieces.last]]),
            "shapes": np.array([[*shapes, 0]]),
            "edges": np.array([edges]),
        }

    def _heads(self, arcs: Floats, starts: list[bool]) -> list[int]:
        """One tree for every sentence."""
        found: list[int] = []
        edges = [*(place for place, starts_here in enumerate(starts) if starts_here), len(starts)]
        for start, end in pairwise(edges):
            inside = [0, *range(start + 1, end + 1)]
            tree = best_heads(arcs[start:end, inside])
            found += [start + head - 1 if head else -1 for head in tree]
        return found

    def _labels(self, dependents: Floats, heads: Floats, places: list[int]) -> list[str]:
        """The relation of every arc; ``root`` at the root and nowhere else."""
        governors = np.array(places)
        hidden = dependents + np.where(governors[:, None] >= 0, heads[governors], 0)
        # Not a matrix product: that would wake a thread for every core, which then waits and works
        # for nothing.
        scores = np.einsum("wh,rh->wr", np.maximum(hidden, 0), self._weight) + self._bias
        scores[:, self._root] = -np.inf
        best = np.where(governors < 0, self._root, scores.argmax(axis=1))
        return [self._relations[number] for number in best]


def _table(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
