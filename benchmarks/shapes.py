"""Generated corpora in shapes that are hard on readers and measures."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.growth import Work

if TYPE_CHECKING:
    from corefbench.corpus.builder import CorpusBuilder
    from corefbench.corpus.corpus import Corpus
    from corefbench.records import Ints, Longs


_WINDOW = 50


@dataclass(frozen=True)
class Shape:
    """How mentions are laid out, and which of them make a chain."""

    name: str
    title: str
    per_document: int = 0
    """Mentions a document; 0: all in one."""
    per_sentence: int = 10
    """Mentions a sentence; 0: all in one."""
    nested: bool = False
    """Each inside the one before, instead of side by side."""
    chains: str = "windows"
    """Chains of five within fifty mentions, ``one`` chain, or each mention its ``own``."""
    twice: bool = False
    """Every tenth mention stands in two chains."""
    related: bool = False
    """With empty nodes, non-referring mentions, bridging and split antecedents."""
    headed: bool = False
    """With heads and constituency trees, and mentions of the response that are too short."""
    hard: bool = True
    """Not met in life at the largest size."""


SHAPES = (
    Shape("documents", "documents of 50 mentions", per_document=_WINDOW, hard=False),
    Shape("document", "one document", hard=False),
    Shape("one chain", "one document, one chain", chains="one"),
    Shape("singletons", "one document, all singletons", chains="own"),
    Shape("sentence", "one document of one sentence", per_sentence=0),
    Shape("nested", "nested ten deep", nested=True),
    Shape("deep", "all nested in each other", per_sentence=0, nested=True),
    Shape("twice", "documents, every tenth mention twice", per_document=_WINDOW, twice=True),
)
RELATED = Shape("related", "with zeros and relations", per_document=_WINDOW, related=True)
HEADED = Shape("heads", "nested, with heads and trees", per_document=_WINDOW, nested=True, headed=True)


def shaped_corpus(shape: Shape, mentions: int, *, noise: bool = False) -> "Corpus":
    """A corpus of that many mentions, a multiple of fifty; with ``noise`` a response to it, in
    which one mention in seventeen is missing and one in ten stands in another chain."""
    from corefbench.corpus.builder import CorpusBuilder

    size, build = shape.per_document or mentions, CorpusBuilder("made")
    number = np.arange(mentions)
    document, position = number // size, number % size
    documents = mentions // size
    _text(build, shape, documents, size)
    start, end = _spans(shape, position, size)
    end -= noise & shape.headed & (position % 10 == 2)
    chains, chain = _chains(shape.chains, (position + (noise & (position % 10 == 7))) % size, size)
    build.add_chains([str(n) for n in range(chains)] * documents, _each(documents, chains))
    chain = document * chains + chain
    there = ~(noise & (number % 17 == 5))
    kept = [column[there] for column in (start, end, chain, document)]
    build.add_mentions(kept[0], kept[1], kept[2], document=kept[3].astype(np.int32))
    if shape.twice:
        some = there & (number % 10 == 3)
        again = [column[some] for column in (start, end, chain + 1, document)]
        build.add_mentions(again[0], again[1], again[2], document=again[3].astype(np.int32))
    corpus = build.finish()
    if shape.headed:
        corpus = _headed(corpus)
    return _related(corpus) if shape.related else corpus


def _each(documents: int, times: int) -> "Ints":
    return np.repeat(np.arange(documents, dtype=np.int32), times)


def _text(build: "CorpusBuilder", shape: Shape, documents: int, size: int) -> None:
    """The words: one a mention, or two where these are nested."""
    each = 2 if shape.nested else 1
    words = documents * size * each
    length = (shape.per_sentence or size) * each
    build.begin_documents([f"d{n}" for n in range(documents)], np.full(documents, size * each, np.int64))
    build.sentences([f"w{n % 97}" for n in range(words)], np.arange(0, words, length))


def _spans(shape: Shape, position: "Longs", size: int) -> "tuple[Longs, Longs]":
    if not shape.nested:
        return position, position + 1
    length = shape.per_sentence or size
    first, depth = position // length * 2 * length, position % length
    return first + depth, first + 2 * length - depth


def _chains(chains: str, position: "Longs", size: int) -> "tuple[int, Longs]":
    """How many chains a document has, and the chain of each mention."""
    if chains == "one":
        return 1, np.zeros_like(position)
    if chains == "own":
        return size, position
    return size // 5, position // _WINDOW * 10 + position % 10


def _headed(corpus: "Corpus") -> "Corpus":
    """The corpus with the first word of every mention as its head, and a noun phrase for each."""
    from msgspec.structs import replace

    from corefbench.corpus.strings import Strings

    opening = np.arange(len(corpus.tokens)) % 20 < 10
    trees = {
        "parse": Strings.of(np.where(opening, "(NP*", "*)").tolist()),
        "pos": Strings.of(["NN"] * len(corpus.tokens)),
    }
    return replace(
        corpus,
        tokens=replace(corpus.tokens, columns=trees),
        mentions=replace(corpus.mentions, head=corpus.mentions.start),
    )


def _related(corpus: "Corpus") -> "Corpus":
    """The corpus with empty nodes, mentions that do not refer, bridging and split antecedents."""
    from msgspec.structs import replace

    from corefbench.corpus.corpus import Relations

    number = np.arange(len(corpus.mentions))
    anaphor = number[number % 10 == 4].astype(np.int32)
    chains = np.arange(0, len(corpus.chains), 10, dtype=np.int32)
    relations = Relations(
        plural=np.repeat(chains, 2),
        element=np.stack([chains + 1, chains + 2], axis=1).reshape(-1),
        bridging_anaphor=anaphor,
        bridging_mention=anaphor - 1,
        bridging_chain=corpus.mentions.chain[anaphor - 1],
        bridging_label=("",) * len(anaphor),
    )
    empty = np.arange(int(corpus.tokens.offsets[-1])) % 10 == 2
    return replace(
        corpus,
        tokens=replace(corpus.tokens, empty=empty),
        mentions=replace(corpus.mentions, referring=number % 10 != 9),
        relations=relations,
    )


_GAP = "test-{}\tAnn met Beth and she left.\tshe\t17\tAnn\t0\tTRUE\tBeth\t8\tFALSE\thttp://x.org/\n"
_GAP_HEAD = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
_BIAS = "{} [The farmer] called the clerk because [he] was late.\n"
_GENDER = "technician.customer{}.1.male.txt\tThe technician told the customer{} that he could pay.\n"


def _gap(mentions: int) -> bytes:
    return (_GAP_HEAD + "".join(_GAP.format(i) for i in range(mentions // 3))).encode()


def _winobias(mentions: int) -> bytes:
    return "".join(_BIAS.format(i + 1) for i in range(mentions // 2)).encode()


def _winogender(mentions: int) -> bytes:
    rows = (_GENDER.format(i, i) for i in range(mentions // 2))
    return ("sentid\tsentence\n" + "".join(rows)).encode()


TASKS: dict[str, Callable[[int], bytes]] = {"gap": _gap, "winobias": _winobias, "winogender": _winogender}


cached_corpus = cache(shaped_corpus)
_SMALL_SIZE = 1_000
_MOST_BYTES = 16 << 20
"""What is written of a shape of which twice as many mentions make far more than twice as much."""


class Files:
    """The files of one format and shape, each size written once for all who read it."""

    def __init__(self, name: str, shape: Shape, folder: Path) -> None:
        from corefbench.formats import formats

        self.form = formats[name]()
        self._shape = shape
        self._folder = folder / f"{name} {shape.name}"

    def writing(self, mentions: int) -> Work:
        """What writes the corpus, to a folder that is emptied before."""
        fitted, target = self._fitted(mentions), self._folder / str(mentions)

        def empty() -> None:
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir(parents=True)

        return Work(lambda: self._write(fitted, target), empty, lambda: volume(target))

    def reading(self, mentions: int) -> Work:
        """What reads the corpus, which is written where it is not there yet."""
        from corefbench.testing.formats import read_files

        target = self._folder / str(mentions)
        if not target.exists():
            writing = self.writing(mentions)
            writing.before()
            writing.run()
        return Work(lambda: read_files(self.form, target), volume=lambda: volume(target))

    def size(self, asked: int) -> int:
        """The number of mentions to try, less than asked for where bytes grow much faster."""
        sizes = [self._volume(mentions) for mentions in (_SMALL_SIZE // 2, _SMALL_SIZE)]
        if sizes[1] < 3 * sizes[0]:
            return asked
        most = _SMALL_SIZE * (_MOST_BYTES / sizes[1]) ** 0.5
        return min(asked, int(most) // 100 * 100)

    def _volume(self, mentions: int) -> int:
        return self.reading(mentions).volume()

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _fitted(self, mentions: int) -> "Corpus":
        from corefbench.formats.capabilities import fit_to_format

        return fit_to_format(cached_corpus(self._shape, mentions), self.form.card.holds)

    def _write(self, fitted: "Corpus", target: Path) -> None:
        from corefbench.formats.convert import FolderWriter

        if isinstance(self.form, FolderWriter) and not self.form.card.writes:
            self.form.write_folder(fitted, target)
            return
        with (target / "corpus").open("wb") as stream:
            self.form.write(fitted, stream)


def volume(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def task_reading(name: str) -> Callable[[int], Work]:
    """What reads a format that holds a task, for a number of mentions."""

    def make(mentions: int) -> Work:
        from corefbench.formats import Reading, Source, formats

        content = TASKS[name](mentions)
        source = Source.of(content)
        return Work(lambda: list(formats[name]().read(source, Reading())), volume=content.__len__)

    return make
