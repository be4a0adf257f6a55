"""The corpus that comes with corefbench: what is in it, and that it keeps its own rules."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import corefbench as cb
from corefbench.corpus.corpus import Corpus
from corefbench.datasets.bundled import NON_REFERRING, bundled_path, load_bundled
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import DataError
from tests import cli

PRONOUNS = re.compile("it|its|itself|he|him|his|himself|she|hers?|herself|they|them|theirs?|themselves", re.IGNORECASE)
TYPES = {"person", "place", "organization", "object", "abstract", "event", "time", "animal"}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_bundled()


def genres(corpus: Corpus) -> tuple[str, ...]:
    return corpus.documents.columns["genre"]


class TestContents:
    """Counts were taken from the authors' markup and, for the file, by Udapi."""

    def test_three_genres_have_at_least_four_documents_each(self, corpus: Corpus) -> None:
        assert Counter(genres(corpus)) == {"instructions": 6, "news": 6, "story": 5}

    def test_the_words_of_each_genre(self) -> None:
        words: Counter[str] = Counter()
        genre = ""
        for line in bundled_path().read_text(encoding="utf-8").splitlines():
            if line.startswith("# meta::genre = "):
                genre = line.removeprefix("# meta::genre = ")
            if line.startswith("# text = "):
                words[genre] += len(line.removeprefix("# text = ").split())
        assert words == {"instructions": 1716, "news": 1607, "story": 1610}

    def test_mentions_chains_and_singletons(self, corpus: Corpus) -> None:
        referring = corpus.mentions.referring
        assert referring is not None
        sizes = np.bincount(corpus.mentions.chain[referring], minlength=len(corpus.chains))
        assert (len(corpus.tokens), len(corpus.tokens.sentences)) == (5805, 372)
        assert int(referring.sum()) == 1598
        assert int((~referring).sum()) == 47
        assert int((sizes > 1).sum()) == 245
        assert int((sizes == 1).sum()) == 365

    def test_five_plurals_have_two_split_antecedents_each(self, corpus: Corpus) -> None:
        plurals = Counter(corpus.relations.plural.tolist())
        assert list(plurals.values()) == [2] * 5


class TestAnnotation:
    def test_no_two_mentions_cross(self, corpus: Corpus) -> None:
        for document in corpus:
            spans = sorted((m.start, m.end) for m in document.mentions)
            crossing = [(a, b) for a, b in combinations(spans, 2) if a[0] < b[0] < a[1] < b[1]]
            assert not crossing

    def test_no_span_is_marked_twice(self, corpus: Corpus) -> None:
        for document in corpus:
            spans = [(m.start, m.end) for m in document.mentions]
            assert len(set(spans)) == len(spans)

    def test_every_head_lies_in_its_mention(self, corpus: Corpus) -> None:
        mentions = corpus.mentions
        assert mentions.head is not None
        assert (mentions.head >= mentions.start).all()
        assert (mentions.head < mentions.end).all()

    def test_no_head_is_a_mark_or_a_function_word(self, corpus: Corpus) -> None:
        wrong = {"the", "a", "an", "of", "and", "'s", "who", "which"}
        for document in corpus:
            heads = {document.words[m.head].lower() for m in document.mentions}
            assert not heads & wrong
            assert all(re.search(r"\w", head) for head in heads)

    def test_no_mention_begins_or_ends_with_a_mark_of_the_sentence(self, corpus: Corpus) -> None:
        for document in corpus:
            edges = {document.words[i] for m in document.mentions for i in (m.start, m.end - 1)}
            assert not edges & set(",.;:!?")

    def test_every_third_person_pronoun_is_in_a_chain_or_refers_to_nothing(self, corpus: Corpus) -> None:
        sizes, split = corpus.chain_sizes(), set(corpus.relations.plural.tolist())
        alone = []
        for document in corpus:
            marked = {m.start: m for m in document.mentions if m.end == m.start + 1}
            for place, word in enumerate(document.words):
                if not PRONOUNS.fullmatch(word):
                    continue
                assert place in marked, f"{document.name}: {word} at {place}"
                mention = marked[place]
                if corpus.mentions.referring[mention.index] and sizes[mention.chain.index] == 1:
                    alone.append((document.name, word, mention.chain.index in split))
        # The one that stands alone has split antecedents.
        assert alone == [("story-violin", "they", True)]

    def test_only_it_is_marked_as_non_referring_and_in_no_chain(self, corpus: Corpus) -> None:
        for document in corpus:
            for mention in document.mentions:
                if not corpus.mentions.referring[mention.index]:
                    assert mention.text.lower() == "it"
                    assert len(mention.chain.mentions) == 1

    def test_every_chain_has_one_known_type(self, corpus: Corpus) -> None:
        types: dict[int, set[str]] = {}
        for chain, etype in zip(corpus.mentions.chain.tolist(), corpus.mentions.columns["etype"], strict=True):
            types.setdefault(chain, set()).add(etype)
        assert all(len(some) == 1 for some in types.values())
        assert set.union(*types.values()) == TYPES | {NON_REFERRING}


class TestFile:
    def test_the_text_is_rebuilt_from_words_and_spaces(self) -> None:
        for block in bundled_path().read_text(encoding="utf-8").strip().split("\n\n"):
            lines = block.split("\n")
            text = next(line for line in lines if line.startswith("# text = "))
            rows = [line.split("\t") for line in lines if line[0] != "#"]
            glued = ["SpaceAfter=No" in row[9].split("|") for row in rows]
            rebuilt = "".join(row[1] + ("" if close else " ") for row, close in zip(rows, glued, strict=True))
            assert rebuilt.strip() == text.removeprefix("# text = ")

    def test_it_is_read_without_a_finding(self) -> None:
        found: list[Finding] = []
        lenient = cb.load(bundled_path(), strictness=Strictness(lenient=True, report=found.append))
        assert not found
        assert len(cb.load(bundled_path()).mentions) == len(lenient.mentions)

    def test_entity_labels_are_unique_in_the_file(self, corpus: Corpus) -> None:
        labels = [corpus.chains.label(chain) for chain in range(len(corpus.chains))]
        assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("profile", ["conll-2012", "corefud"])
def test_scored_against_itself_it_is_perfect(corpus: Corpus, profile: str) -> None:
    result = cb.score(corpus, corpus, profile=profile)
    # There are no zeros to be found.
    assert {name for name in result if result[name].f1 != 1} <= {"zero"}
    assert result.conll is not None
    assert result.conll.f1 == 1


@pytest.mark.parametrize("name", ["bundled", str(bundled_path())])
def test_a_name_loads_where_a_path_does(name: str) -> None:
    corpus = cb.load(name)
    assert (len(corpus), len(corpus.mentions)) == (17, 1645)


def test_commands_take_the_name_of_a_data_set(tmp_path: Path) -> None:
    # 47 of the 1,645 mentions are *it* that refers to nothing.
    assert re.search(r"Mentions +1,?598\b", cli.run("stats", "bundled"))
    assert "100.00" in cli.run("score", "bundled", "bundled", "-q")
    assert "1,645" in cli.run("convert", "bundled", tmp_path / "out.jsonl")
    assert "checked" in cli.run("check", "bundled")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(DataError, match=r"bundled, .*gum"):
        cb.load("bundeld")
