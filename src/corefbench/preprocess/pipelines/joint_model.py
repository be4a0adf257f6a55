"""The network of ``en-accurate``: tags, lemmas, entities and trees in one pass.

Windows are run one at a time. Activations are quantized to 8 bits by the largest value of a run, so
that in a batch the result for a text would depend on its neighbours; and on one core a batch is
hardly faster.

The tree of a sentence is the maximum spanning tree of the scores of all possible arcs:

  T* = argmax_T Σ_d s(d, head_T(d))     over the trees in which one word depends on the root

Chu & Liu (1965), Edmonds (1967): every word takes its best head; a cycle is contracted to one node,
and the rest is solved the same way. A penalty on arcs from the root that no gain elsewhere can
outweigh ensures a single root.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from corefbench.errors import MissingExtra
from corefbench.records import Floats, Longs

MAX_PIECES_PER_WORD = 12
"""The rest of a longer word (an address, a row of marks) carries no information."""
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_CACHE_SIZE = 200_000
"""Words; beyond that the cache is cleared."""
OTHER, SMALL, INITIAL, LARGE, MIXED = range(5)
SHAPES = 5
_CASE_FUNCTIONS: dict[str, Callable[[str], str]] = {"l": str.lower, "k": str, "t": str.capitalize}
"""Lower case, unchanged, or capitalised; the first with the shortest script is used."""
_LOG_ERRORS_ONLY = 3


class WindowColumns(NamedTuple):
    """Predictions for the words of a window, one row per word."""

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
        options.log_severity_level = _LOG_ERRORS_ONLY
        self._session: Any = onnxruntime.InferenceSession(
            folder / "model.onnx", options, providers=["CPUExecutionProvider"]
        )
        self.pieces = WordPieces(Tokenizer.from_file(str(folder / "tokenizer.json")))
        self._classes = _read_json(folder / "classes.json")
        self._lemmas = _read_json(folder / "lemmas.json")
        self._relations = self._classes.pop("relation")
        self._root = self._relations.index("root")
        with np.load(folder / "relations.npz") as arrays:
            self._weight, self._bias = arrays["weight"], arrays["bias"]

    def __call__(self, words: list[str], starts: list[bool] | None = None) -> WindowColumns:
        """Return the columns of a window; given sentence starts are kept."""
        arcs, start_scores, dependents, heads, *tasks = (
            scores[0] for scores in self._session.run(None, self._arrays(words))
        )
        if starts is None:
            starts = (start_scores > 0).tolist()
        starts = [True, *starts[1:]]
        governors = self._heads(arcs, starts)
        upos, xpos, features, scripts, entities = (
            [classes[number] for number in numbers]
            for classes, numbers in zip(self._classes.values(), tasks, strict=True)
        )
        return WindowColumns(
            upos=upos,
            xpos=xpos,
            features=features,
            lemmas=[self._lemma(*row) for row in zip(words, xpos, scripts, strict=True)],
            entities=entities,
            starts=starts,
            heads=governors,
            relations=self._labels(dependents, heads, governors),
        )

    def _lemma(self, word: str, tag: str, script: str) -> str:
        """Return the lemma of the treebanks, else by the script that the network chose."""
        lemma: str | None = self._lemmas.get(tag, {}).get(word.lower())
        return lemma or apply_lemma_script(script, word.replace("’", "'"))

    def _arrays(self, words: list[str]) -> dict[str, Any]:
        rows = self.pieces(words)
        pieces, shapes, edges = [self.pieces.first], [0], []
        for word, row in zip(words, rows, strict=True):
            edges.append((len(pieces), len(pieces) + len(row) - 1) if row else (0, 0))
            pieces.extend(row)
            shapes.extend([word_shape(word)] * len(row))
        return {
            "pieces": np.array([[*pieces, self.pieces.last]]),
            "shapes": np.array([[*shapes, 0]]),
            "edges": np.array([edges]),
        }

    def _heads(self, arcs: Floats, starts: list[bool]) -> list[int]:
        """Decode one tree per sentence."""
        heads: list[int] = []
        edges = [*(index for index, starts_here in enumerate(starts) if starts_here), len(starts)]
        for start, end in pairwise(edges):
            inside = [0, *range(start + 1, end + 1)]
            tree = decode_heads(arcs[start:end, inside])
            heads += [start + head - 1 if head else -1 for head in tree]
        return heads

    def _labels(self, dependents: Floats, heads: Floats, governor_list: list[int]) -> list[str]:
        """Return the relation of every arc; ``root`` for roots only."""
        governors = np.array(governor_list)
        hidden = dependents + np.where(governors[:, None] >= 0, heads[governors], 0)
        # Not a matrix product: that would start a thread on every core, which then spins idly.
        scores = np.einsum("wh,rh->wr", np.maximum(hidden, 0), self._weight) + self._bias
        scores[:, self._root] = -np.inf
        best = np.where(governors < 0, self._root, scores.argmax(axis=1))
        return [self._relations[number] for number in best]


def word_shape(word: str) -> int:
    """Return the shape of a word, which uncased pieces do not show.

    >>> [word_shape(word) for word in ("42", "cat", "Cat", "NATO", "iPod", "I")]
    [0, 1, 2, 3, 4, 2]
    """
    if word.islower():
        return SMALL
    if word.isupper():
        return LARGE if len(word) > 1 else INITIAL
    if word[:1].isupper() and word[1:].islower():
        return INITIAL
    return MIXED if word.lower() != word.upper() else OTHER


class WordPieces:
    """A tokenizer (of the package ``tokenizers``) with a cache of words."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, tuple[int, ...]] = {}
        self.first: int = tokenizer.token_to_id("[CLS]")
        self.last: int = tokenizer.token_to_id("[SEP]")

    def __call__(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """Return the pieces of every word; none for a word of control characters."""
        cache = self._known
        if not cache.keys() >= set(words):
            if len(cache) > _CACHE_SIZE:
                cache.clear()
            self._learn(dict.fromkeys(word for word in words if word not in cache))
        return [cache[word] for word in words]

    def _learn(self, words: Iterable[str]) -> None:
        words = list(words)
        whole = [_LONE_SURROGATE.sub("\ufffd", word) for word in words]
        encoded = self._tokenizer.encode_batch(whole, add_special_tokens=False)
        for word, encoding in zip(words, encoded, strict=True):
            self._known[word] = tuple(encoding.ids[:MAX_PIECES_PER_WORD])


def make_lemma_script(word: str, lemma: str) -> str:
    """Return the shortest edit script from a word to its lemma.

    A script says how many characters to cut, what to append, and in which case: ``3|y|l`` for
    *flies*. A classifier can learn scripts where it could not learn lemmas.

    >>> pairs = [("Flies", "fly"), ("was", "be"), ("London", "London")]
    >>> [make_lemma_script(*pair) for pair in pairs]
    ['3|y|l', '3|be|l', '0||k']
    """
    best, cost = "", 1 << 30
    for name, spell in _CASE_FUNCTIONS.items():
        spelt = spell(word)
        same = _common_prefix_length(spelt, lemma)
        price = len(spelt) - same + len(lemma) - same
        if price < cost and len(spelt) == len(word):
            best, cost = f"{len(spelt) - same}|{lemma[same:]}|{name}", price
    return best or f"{len(word)}|{lemma}|k"


def apply_lemma_script(script: str, word: str) -> str:
    """Apply a script to a word; return the word in lower case if it does not fit.

    >>> apply_lemma_script("3|y|l", "Tries"), apply_lemma_script("3|be|l", "is")
    ('try', 'is')
    """
    cut, _, rest = script.partition("|")
    ending, _, case = rest.rpartition("|")
    kept_length = len(word) - int(cut)
    if kept_length < 0:
        return word.lower()
    return (_CASE_FUNCTIONS[case](word)[:kept_length] + ending) or word.lower()


def _common_prefix_length(a: str, b: str) -> int:
    """Return the length of the common prefix of two words."""
    pairs = zip(a, b, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def decode_heads(scores: Floats) -> list[int]:
    """Return the head of every word, counted from 1; 0 is the root, which has one dependent.

    ``scores`` has a row for every word and a column for every head, the root first.

    >>> decode_heads(np.array([[0.0, 0.0, 9.0], [5.0, 8.0, 0.0]]))
    [2, 0]
    """
    count = len(scores)
    square = np.full((count + 1, count + 1), -np.inf)
    square[1:] = scores
    np.fill_diagonal(square, -np.inf)
    heads = square.argmax(axis=1)
    if not (np.count_nonzero(heads[1:] == 0) == 1 and _find_cycle(heads) is None):
        # More than any tree could gain: the number of words times the range of scores.
        real = scores[np.isfinite(scores)]
        square[1:, 0] -= 1.0 + count * float(real.max() - real.min())
        heads = _solve(square)
    return [int(head) for head in heads[1:]]


def _solve(scores: Floats) -> Longs:
    """Return the best tree over the nodes; node 0 is the root."""
    heads: Longs = scores.argmax(axis=1)
    heads[0] = 0
    cycle = _find_cycle(heads)
    if cycle is None:
        return heads
    inside = np.zeros(len(scores), dtype=bool)
    inside[cycle] = True
    rest = np.flatnonzero(~inside)
    from_cycle = scores[np.ix_(rest, cycle)]
    # Entering the cycle at a node replaces that node's arc inside the cycle.
    into_cycle = scores[np.ix_(cycle, rest)] - scores[cycle, heads[cycle]][:, None]
    small = np.full((len(rest) + 1, len(rest) + 1), -np.inf)
    small[:-1, :-1] = scores[np.ix_(rest, rest)]
    small[:-1, -1] = from_cycle.max(axis=1)
    small[-1, :-1] = into_cycle.max(axis=0)
    contracted = _solve(small)
    cycle_node = len(rest)
    entry = cycle[into_cycle[:, contracted[-1]].argmax()]
    best = cycle[from_cycle.argmax(axis=1)]
    heads[rest] = np.where(contracted[:-1] == cycle_node, best, rest[np.minimum(contracted[:-1], cycle_node - 1)])
    heads[entry] = rest[contracted[-1]]
    return heads


def _find_cycle(heads: Longs) -> Longs | None:
    """Return the nodes of a cycle, or None; node 0 has no head."""
    seen = [0] * len(heads)
    parents = heads.tolist()
    for start in range(1, len(parents)):
        node = start
        while node and not seen[node]:
            seen[node] = start
            node = parents[node]
        if node and seen[node] == start:
            cycle = [node]
            while parents[cycle[-1]] != node:
                cycle.append(parents[cycle[-1]])
            return np.array(cycle)
    return None
