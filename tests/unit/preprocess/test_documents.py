"""From documents to inputs: text, tokens and sentences, with and without the original text."""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from corefbench.corpus.builder import CorpusBuilder
from corefbench.errors import UsageError
from corefbench.formats.load import load
from corefbench.preprocess.analysis import Analysis, Constituent, Entity
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.documents import (
    CachedPreprocessor,
    TokenAlignment,
    detokenize,
    entry_name,
    gold_mentions,
    make_input,
    read_entry,
    write_entry,
)
from tests.data import data
from tests.trees import analysis

ZEROS = b"""# newdoc id = d
# global.Entity = eid-etype-head-other
1\tAnn\tAnn\tPROPN\tNNP\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
2.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj\tEntity=(e1-person-1-)
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tran\trun\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


def test_the_text_is_detokenized_by_space_after():
    source = make_input(load(ZEROS)[0])
    assert source.text == "Ann left. She ran."
    assert source.sentences == ((0, 3), (3, 6))
    assert [source.text[a:b] for a, b in source.offsets or ()] == [
        "Ann", "left", ".", "She", "ran", ".",
    ]  # fmt: skip


def test_zeros_are_left_out_and_mentions_renumbered():
    assert gold_mentions(load(ZEROS)[0]) == [(0, 1, 0), (3, 4, 3)]


def test_annotation_can_be_withheld():
    document = load(ZEROS)[0]
    bare = make_input(document, "nothing")
    assert (bare.offsets, bare.sentences, bare.paragraphs) == (None, None, None)
    tokens = make_input(document, "tokens")
    assert tokens.offsets is not None
    assert tokens.sentences is None


def test_the_original_text_is_kept():
    corpus = load(b"Ann  left.\n\nShe ran.", format="text")
    source = make_input(corpus[0])
    assert source.text == "Ann  left.\n\nShe ran."
    assert source.paragraphs == (0, 1)


def test_speakers_are_kept_where_there_are_some():
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(["I", "left"], columns={"speaker": ["Ann", "Ann"]})
    build.begin_document("e")
    build.sentence(["I"], columns={"speaker": ["-"]})
    corpus = build.finish()
    assert make_input(corpus[0]).speakers == ("Ann", "Ann")
    assert make_input(corpus[1]).speakers is None


def test_a_corpus_without_words_is_refused():
    with pytest.raises(UsageError, match="without its words"):
        make_input(load(ZEROS, words=False)[0])


def test_words_are_detokenized_as_english_is_typed():
    words = ["He", "said", '"', "no", '"', ",", "did", "n't", "he", "(", "Ann", "'s", "dog", ")", "?"]
    text, offsets = detokenize(words, [(0, len(words))])
    assert text == "He said \"no\", didn't he (Ann's dog)?"
    assert [text[a:b] for a, b in offsets] == words


def test_a_sentence_without_final_mark_is_set_apart():
    text, _ = detokenize(["A", ".", "Title", "B", ".", "C", "."], [(0, 2), (2, 3), (3, 5), (5, 7)])
    assert text == "A.\n\nTitle\n\nB. C."


def test_paragraphs_that_are_known_decide():
    text, _ = detokenize(["A", "B", "C"], [(0, 1), (1, 2), (2, 3)], paragraphs=[0, 0, 1])
    assert text == "A B\n\nC"


@given(st.lists(st.lists(st.text(min_size=0, max_size=4), min_size=1, max_size=5), max_size=5))
def test_every_word_is_at_its_offsets(sentences: list[list[str]]):
    words = [word for row in sentences for word in row]
    spans, start = [], 0
    for row in sentences:
        spans.append((start, start + len(row)))
        start += len(row)
    text, offsets = detokenize(words, spans)
    assert [text[a:b] for a, b in offsets] == words


def test_the_texts_of_gum_come_back():
    """The sentences say their text in a comment that the reader does not keep."""
    path = data("gum") / "dep" / "GUM_bio_byron.conllu"
    lines = path.read_text(encoding="utf-8").splitlines()
    wanted = [line.removeprefix("# text = ") for line in lines if line.startswith("# text = ")]
    source = make_input(load(path)[0])
    offsets, same = source.offsets or (), 0
    for (start, end), text in zip(source.sentences or (), wanted, strict=True):
        same += source.text[offsets[start][0] : offsets[end - 1][1]] == text
    assert same >= 0.98 * len(wanted)


def offsets(lengths: list[int]) -> list[tuple[int, int]]:
    """Tokens of so many characters without space between them."""
    found, at = [], 0
    for length in lengths:
        found.append((at, at + length))
        at += length
    return found


def test_equal_tokens_keep_their_spans() -> None:
    tokens = offsets([3, 1, 4])
    assert TokenAlignment(tokens, list(tokens)).span((1, 3)) == (1, 3)


def test_a_span_takes_every_token_it_touches() -> None:
    assert TokenAlignment(offsets([5, 3]), offsets([2, 4, 2])).span((1, 2)) == (1, 3)


def test_what_no_token_touches_is_lost() -> None:
    assert TokenAlignment([(4, 6)], [(0, 2), (8, 9)]).span((0, 1)) is None


@given(st.lists(st.integers(1, 4), min_size=1, max_size=8), st.data())
def test_what_comes_back_covers_what_was_sent(lengths: list[int], data: st.DataObject) -> None:
    total = sum(lengths)
    cuts = sorted(data.draw(st.sets(st.integers(1, total), max_size=5)) | {0, total})
    others = [(a, b) for a, b in itertools.pairwise(cuts)]
    mine = offsets(lengths)
    start = data.draw(st.integers(0, len(mine) - 1))
    end = data.draw(st.integers(start + 1, len(mine)))
    there = TokenAlignment(mine, others).span((start, end))
    assert there is not None
    back = TokenAlignment(others, mine).span(there)
    assert back is not None
    assert back[0] <= start < end <= back[1]


class Counting:
    card = PreprocessorCard(name="counting", title="Counting", description="Counts.")

    def __init__(self, identity: str = "counting 1") -> None:
        self.identity = identity
        self.seen: list[str] = []

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        for source in inputs:
            self.seen.append(source.name)
            yield replace(analysis("He he PRON PRP 0 root"), name=source.name)


def inputs(*names: str) -> list[Input]:
    return [Input(name=name, text=f"text of {name}") for name in names]


def test_known_texts_do_not_reach_the_pipeline(tmp_path: Path):
    pipeline = Counting()
    cached = CachedPreprocessor(pipeline, tmp_path)
    first = list(cached.analyse(inputs("a", "b")))
    again = list(cached.analyse(inputs("b", "c", "a")))
    assert [one.name for one in again] == ["b", "c", "a"]
    assert pipeline.seen == ["a", "b", "c"]
    assert again[2] == first[0]
    assert cached.identity == "counting 1"


def test_another_pipeline_or_another_input_is_another_entry(tmp_path: Path):
    list(CachedPreprocessor(Counting(), tmp_path).analyse(inputs("a")))
    other = Counting("counting 2")
    list(CachedPreprocessor(other, tmp_path).analyse(inputs("a")))
    assert other.seen == ["a"]
    given = inputs("a")[0]
    tokens = replace(given, offsets=((0, 4),))
    assert entry_name(given, "x") != entry_name(tokens, "x")
    assert entry_name(given, "x") != entry_name(replace(given, text="other"), "x")


def test_a_broken_entry_is_replaced(tmp_path: Path):
    pipeline = Counting()
    list(CachedPreprocessor(pipeline, tmp_path).analyse(inputs("a")))
    (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
    for content in (b"", b"nonsense", path.read_bytes()[:-5]):
        path.write_bytes(content)
        assert read_entry(path) is None
        list(CachedPreprocessor(pipeline, tmp_path).analyse(inputs("a")))
        assert read_entry(path) is not None
    assert pipeline.seen == ["a"] * 4


def test_a_cached_analysis_is_complete(tmp_path: Path):
    leaf = Constituent(label="PRP", start=0, end=1)
    made = replace(
        analysis("He he PRON PRP 0 root"),
        entities=(Entity(start=0, end=1, type="person"),),
        trees=(Constituent(label="NP", start=0, end=1, children=(leaf,)),),
        speakers=("Ann",),
    )
    write_entry(tmp_path / "x" / "entry", made)
    assert read_entry(tmp_path / "x" / "entry") == made
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["entry"]


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path):
    (tmp_path / "file").write_text("")
    cached = CachedPreprocessor(Counting(), tmp_path / "file" / "below")
    assert len(list(cached.analyse(inputs("a")))) == 1


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv("COREFBENCH_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert CachedPreprocessor(Counting()).folder == tmp_path / "corefbench" / "analyses"
    monkeypatch.setenv("COREFBENCH_CACHE", str(tmp_path / "mine"))
    assert CachedPreprocessor(Counting()).folder == tmp_path / "mine" / "analyses"
