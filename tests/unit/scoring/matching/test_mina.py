"""MINA matching, by hand and against coval's min_span."""

import os
import random
import sys
from pathlib import Path

import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import MismatchError
from corefbench.scoring.matching.mina import Node, match, minimal_words, parse_tree

Span = tuple[int, int]
Sentence = list[tuple[str, str, str]]
"""Word, part of speech, parse bit."""

MAN: Sentence = [
    ("the", "DT", "(TOP(S(NP(NP*"),
    ("old", "JJ", "*"),
    ("man", "NN", "*)"),
    ("with", "IN", "(PP*"),
    ("it", "PRP", "(NP*)))"),
    ("saw", "VBD", "(VP*"),
    ("that", "DT", "(NP*)"),
    ("and", "CC", "*"),
    ("that", "DT", "(NP*))"),
    (".", ".", "*))"),
]


def corpus(sentences: list[Sentence], *chains: list[Span], parse: bool = True) -> Corpus:
    build = CorpusBuilder("test")
    build.begin_document("d")
    for sentence in sentences:
        words, tags, bits = (list(column) for column in zip(*sentence, strict=True))
        build.sentence(words, columns={"pos": tags, "parse": bits} if parse else None)
    for number, spans in enumerate(chains):
        for span in spans:
            build.mention(str(number), [span])
    return build.finish()


def twins(key: list[list[Span]], response: list[list[Span]]) -> list[int]:
    return match(corpus([MAN], *key), corpus([MAN], *response, parse=False)).key.tolist()


def minimum(text: str) -> set[str]:
    """The minimal words of a tree, written word/TAG with its bits: ``(NP*/the/DT``."""
    bits, words, tags = zip(*(token.split("/") for token in text.split()), strict=True)
    root = parse_tree(bits, words, tags, 0)
    assert root is not None
    return {words for words, _ in minimal_words(root)}


def test_a_noun_phrase_keeps_its_head_without_the_modifier():
    assert minimum("(NP(NP*/the/DT *)/man/NN (PP*/with/IN (NP*)))/it/PRP") == {"the man"}


def test_coordinated_phrases_keep_their_heads():
    assert minimum("(NP(NP*)/Ann/NNP */and/CC (NP*))/Ben/NNP") == {"Ann", "Ben"}


def test_a_verb_phrase_keeps_its_verb():
    assert minimum("(VP*/bought/VBD (NP*))/shares/NNS") == {"bought"}


def test_a_phrase_below_the_top_is_looked_for():
    assert minimum("(TOP(S(NP(NP*)/one/CD (PP*/of/IN (NP*)))))/us/PRP") == {"one"}


def test_function_words_alone_have_no_minimum():
    assert minimum("(NP*)/that/DT") == set()


def test_brackets_without_partners_do_not_harm():
    assert minimum("*)/man/NN (PP*/with/IN (NP*)))/it/PRP") == {"man"}
    assert minimum("(NP(NP*/the/DT *)/man/NN (PP*/with/IN") == {"the man"}


def test_ten_thousand_open_brackets_are_no_problem():
    assert minimum("(NP" * 10_000 + "*/man/NN") == {"man"}


def test_a_mention_with_and_without_its_modifier_is_the_same():
    assert twins([[(0, 5)]], [[(0, 3)]]) == [0]
    assert twins([[(0, 3)]], [[(0, 5)]]) == [0]


def test_another_head_is_another_mention():
    assert twins([[(0, 5)]], [[(4, 5)]]) == [-1]


def test_of_equal_key_mentions_the_last_chain_counts():
    # Chains in the order in which their first mention closes: that of (0, 3) is the first.
    assert twins([[(0, 3)], [(4, 5), (0, 5)]], [[(0, 5)]]) == [0]
    assert twins([[(4, 5), (0, 5)], [(0, 3)]], [[(0, 5)]]) == [0]


def test_like_worded_mentions_without_minimum_are_equal_as_in_coval():
    assert twins([[(8, 9)]], [[(6, 7)]]) == [0]


def test_sentences_are_told_apart():
    key = corpus([MAN, MAN], [(0, 5)], [(10, 15)])
    assert match(key, corpus([MAN, MAN], [(10, 13)])).key.tolist() == [1]


def test_every_sentence_has_its_own_words_and_numbers():
    """The mention that ends the first sentence is still of the first."""
    short = [("Ann", "NNP", "(NP(NP*)"), ("of", "IN", "(PP*"), ("Ulm", "NNP", "(NP*)))")]
    key = corpus([short, MAN], [(0, 3)], [(3, 8)])
    assert match(key, corpus([short, MAN], [(0, 1)], [(3, 6)])).key.tolist() == [0, 1]


def test_words_without_minimum_are_counted_from_their_own_start_as_in_coval():
    """So "that" anywhere is the pronoun "that" at the start of the sentence."""
    odd = [("that", "PRP", "(S(NP*)"), ("is", "VBZ", "(VP*"), ("that", "DT", "(NP*)))")]
    sides = [corpus([MAN, odd], [span]) for span in ((10, 11), (12, 13))]
    assert match(*sides).key.tolist() == [0]


def test_of_mentions_that_close_together_the_single_word_is_the_first():
    """Both have the minimum "Ann"; the chain of the longer is the last, whatever its number."""
    ann = [("the", "DT", "(NP(DP*)"), ("Ann", "NNP", "(NP*))")]
    for chains in ([(0, 2)], [(1, 2)]), ([(1, 2)], [(0, 2)]):
        key = corpus([ann], *chains)
        (twin,) = match(key, corpus([ann], [(1, 2)])).key.tolist()
        assert (key.mentions.start[twin], key.mentions.end[twin]) == (0, 2)


def test_a_side_without_mentions_has_no_twins():
    assert twins([], [[(0, 5)]]) == [-1]
    assert twins([[(0, 5)]], []) == []


def test_without_a_parse_of_the_words_the_span_decides():
    bare = [(word, tag, "-") for word, tag, _ in MAN]
    key = corpus([bare], [(0, 5)])
    assert match(key, corpus([bare], [(0, 5), (0, 3)])).key.tolist() == [0, -1]


def test_a_key_without_parse_column_is_refused_with_a_remedy():
    with pytest.raises(MismatchError) as caught:
        match(corpus([MAN], [(0, 5)], parse=False), corpus([MAN], [(0, 5)]))
    assert caught.value.code == "CB211"
    assert caught.value.remedy


def _import_from_peer(monkeypatch, name: str) -> None:
    """Import the packages of another scorer; several of them use the same package names."""
    folder = os.environ.get("COREFBENCH_PEERS")
    if not folder:
        pytest.skip("COREFBENCH_PEERS does not name the folder of the other scorers")
    for module in [m for m in sys.modules if m.partition(".")[0] in ("coval", "scorer")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.syspath_prepend(str(Path(folder) / name))


@pytest.mark.slow
def test_coval_finds_the_same_mentions_equal(monkeypatch):
    _import_from_peer(monkeypatch, "coval")
    from coval.conll.reader import get_doc_mentions, get_mention_assignments, set_annotated_parse_trees

    rng = random.Random(5)
    for _ in range(1500):
        sentences = [_generated(rng) for _ in range(2)]
        key, response = (_chains(rng, sentences) for _ in range(2))
        lines = [_lines(sentences, chains) for chains in (key, response)]
        peers = [
            set_annotated_parse_trees(get_doc_mentions("d", side, True)[0], lines[0], False, True) for side in lines
        ]
        homes = get_mention_assignments(peers[1], peers[0])
        first = len(sentences[0])
        ours = corpus(sentences, *key), corpus(sentences, *response)
        twin = match(*ours).key.tolist()
        for mention in (m for chain in peers[1] for m in chain):
            found = twin[_number(ours[1], _span(mention, first))]
            assert (found >= 0) == (mention in homes)
            if found >= 0:
                k = ours[0].mentions
                home = {_span(m, first) for m in peers[0][homes[mention]]}
                assert (int(k.start[found]), int(k.end[found])) in home


def _lines(sentences: list[Sentence], chains: list[list[Span]]) -> list[list[str]]:
    cells: list[list[str]] = [[] for sentence in sentences for _ in sentence]
    for label, chain in enumerate(chains):
        for start, end in chain:
            cells[start].append(f"({label})" if end == start + 1 else f"({label}")
            if end > start + 1:
                cells[end - 1].append(f"{label})")
    lines, column = [], iter(cells)
    for sentence in sentences:
        tokens = [f"d 0 {n} {w} {t} {b}" for n, (w, t, b) in enumerate(sentence)]
        lines.append([f"{token} {'|'.join(next(column)) or '-'}" for token in tokens])
    return lines


def _span(mention, first: int) -> Span:
    shift = first * mention.sent_num
    return shift + mention.start, shift + mention.end + 1


def _number(side: Corpus, span: Span) -> int:
    pairs = zip(side.mentions.start.tolist(), side.mentions.end.tolist(), strict=True)
    return list(pairs).index(span)


_WORDS = [("the", "DT"), ("that", "DT"), ("man", "NN"), ("Ann", "NNP"), ("and", "CC"), ("of", "IN")]
_WORDS += [("saw", "VBD"), (",", ","), ("%", "NN"), ("U.S.", "NNP"), ("10", "CD"), ("-LRB-", "-LRB-")]


def _generated(rng: random.Random) -> Sentence:
    """A random tree over random words, as parse bits."""
    tokens: Sentence = []

    def phrase(depth: int) -> None:
        first = len(tokens)
        for _ in range(rng.randint(1, 3)):
            if depth < 4 and rng.random() < 0.5:
                phrase(depth + 1)
            else:
                tokens.append((*rng.choice(_WORDS), "*"))
        word, tag, bit = tokens[first]
        label = rng.choice(["NP", "NP", "NP-SBJ", "VP", "PP", "S", "QP", "NML", "NX"])
        tokens[first] = word, tag, f"({label}{bit}"
        word, tag, bit = tokens[-1]
        tokens[-1] = word, tag, f"{bit})"

    phrase(0)
    return tokens


def _chains(rng: random.Random, sentences: list[Sentence]) -> list[list[Span]]:
    spans: set[Span] = set()
    for _ in range(rng.randint(1, 8)):
        shift, length = rng.choice([(0, len(sentences[0])), (len(sentences[0]), len(sentences[1]))])
        start = rng.randrange(length)
        spans.add((shift + start, shift + rng.randint(start + 1, length)))
    chains: list[list[Span]] = [[] for _ in range(3)]
    for a, b in sorted(spans):
        chain = rng.choice(chains)
        if not any(c < a < d < b for c, d in chain):  # brackets of one chain cannot cross
            chain.append((a, b))
    return [chain for chain in chains if chain]


def test_a_deeper_noun_phrase_gives_nothing_beside_a_higher_noun():
    """Of "b a of x" the inner phrase has the noun a right below it and b one step deeper."""
    bits = ["(NP(NP(NP*)", "*)", "(PP*", "(NP*)))"]
    root = parse_tree(bits, ["b", "a", "of", "x"], ["NN", "NN", "IN", "NN"], 0)
    assert minimal_words(root) == {("a", 1)}


def minimum_minimal_words(text: str, first: int = 0) -> dict[str, int]:
    """The minimal words of a tree with their indices; tokens are written ``(NP*/the/DT``."""
    bits, words, tags = zip(*(token.split("/") for token in text.split()), strict=True)
    root = parse_tree(bits, words, tags, first)
    assert root is not None
    return dict(minimal_words(root))


def test_words_right_below_the_root_are_the_minimum_whatever_its_label():
    assert minimum_minimal_words("(S*/go/VB (NP*))/it/PRP") == {"go": 1}
    assert minimum_minimal_words("(ADJP*/happy/JJ (PP*/with/IN (NP*)))/it/PRP") == {"happy": 1}


@pytest.mark.parametrize("label", ["NP-SBJ", "NML", "NP", "QP", "NX"])
def test_a_nominal_phrase_is_looked_into_on_every_level(label):
    """S ▸ phrase ▸ phrase ▸ man: beside it an adjective phrase that is none."""
    phrase = f"({label}({label}*))/man/NN"
    assert minimum_minimal_words(f"(S(ADJP*)/old/JJ {phrase} (ADVP*))/there/RB") == {"man": 1}


@pytest.mark.parametrize("label", ["VP", "VP-PRD"])
def test_below_a_verb_phrase_only_verb_phrases_count(label):
    assert minimum_minimal_words(f"({label}(NP*)/shares/NNS (VP*))/bought/VBD") == {"bought": 1}


@pytest.mark.parametrize("label", ["NP", "NML", "NP-TMP"])
def test_below_a_nominal_phrase_only_nominal_phrases_count(label):
    assert minimum_minimal_words(f"({label}(VP*)/bought/VBN (QP*))/ten/CD") == {"ten": 1}


def test_below_another_root_noun_phrases_come_first_then_verb_phrases_then_the_rest():
    assert minimum_minimal_words("(S(NP*)/Ann/NNP (VP*))/left/VBD") == {"Ann": 0}
    assert minimum_minimal_words("(S(NML*)/Ann/NNP (VP*))/left/VBD") == {"Ann": 0}
    assert minimum_minimal_words("(S(QP*)/ten/CD (VP*))/left/VBD") == {"left": 1}
    assert minimum_minimal_words("(S(QP*)/ten/CD (PP*/of/IN (NP*)))/us/PRP") == {"ten": 0}


def test_words_of_a_phrase_of_no_kind_do_not_count_beside_a_deeper_noun_phrase():
    assert minimum_minimal_words("(S(ADJP*/happy/JJ (NP*)))/him/PRP") == {"him": 1}


def test_what_lies_in_another_kind_of_phrase_is_not_reached():
    """The noun phrase has only a determiner and a prepositional phrase, which is not entered."""
    assert minimum_minimal_words("(NP*/that/DT (PP*/of/IN (NP*)))/him/PRP") == {}


def test_all_words_on_the_highest_level_count():
    assert minimum_minimal_words("(NP(NP*/man/NN (PP*)/of/IN *))/old/NN") == {"man": 1, "old": 2}


def test_a_word_with_a_letter_among_other_signs_has_content():
    assert minimum_minimal_words("(NP*)/U.S./NNP") == {"U.S.": 0}
    assert minimum_minimal_words("(NP*)/1,000/CD") == {"1,000": 0}


def test_words_outside_all_brackets_are_a_root_of_their_own():
    assert minimum_minimal_words("*/old/JJ", first=3) == {"old": 3}
    assert minimum_minimal_words("*/that/DT", first=3) == {}
    assert minimum_minimal_words("*/old/JJ */man/NN", first=3) == {"old man": 4}


def test_what_follows_words_outside_all_brackets_is_read_as_if_below_them():
    """As coval reads it: the words become a root, and what comes next hangs on it."""
    assert minimum_minimal_words("*/old/JJ (NP*)/man/NN */there/RB") == {"old": 1}
    assert minimum_minimal_words("*/the/DT (NP*)/man/NN") == {"man": 1}
    assert minimum_minimal_words("*/the/DT (NP*)/man/NN */there/RB") == {"there": 2}
    assert minimum_minimal_words("*/the/DT (PP*/of/IN (NP*))/him/PRP") == {}


@pytest.mark.parametrize("label", ["NP-SBJ", "NML", "NP"])
def test_each_coordinated_phrase_gives_its_words_however_deep(label):
    assert minimum_minimal_words(f"(NP({label}*)/Ann/NNP */and/CC ({label}(NP*)))/Ben/NNP") == {"Ann": 0, "Ben": 2}


def tree(*tokens: tuple[str, str], first: int = 0) -> Node | None:
    """The tree of (bit, word); tags do not matter here."""
    bits, words = [bit for bit, _ in tokens], [word for _, word in tokens]
    return parse_tree(bits, words, ["NN"] * len(words), first)


def shape(node: Node) -> str:
    """Phrases as ``NP[…]``, runs of words with their index."""
    if node.is_words and not node.children:
        return f"{node.label}@{node.index}"
    name = f"{node.label}@{node.index}" if node.is_words else node.label
    return f"{name}[{' '.join(map(shape, node.children))}]"


def test_a_run_that_no_bracket_closes_stands_at_the_last_token():
    assert shape(tree(("(NP(NP*)", "Ann"), ("*", "of"), ("*", "Ulm"), first=5)) == ("NP[NP[Ann@5] of Ulm@7]")


def test_a_run_before_an_opening_bracket_stands_at_the_bracket():
    assert shape(tree(("(NP*", "man"), ("(PP*)", "of"), ("*)", "old"), first=2)) == ("NP[man@3 PP[of@3] old@4]")


def test_a_run_before_an_opening_bracket_counts_if_one_of_its_words_is_plain():
    assert shape(tree(("(NP*", "the"), ("*", "U.S."), ("(NP*))", "man"))) == ("NP[the U.S.@2 NP[man@2]]")
    assert shape(tree(("(NP*", "U.S."), ("(NP*))", "man"))) == "NP[NP[man@1]]"
    assert shape(tree(("(NP*", "10"), ("(NP*))", "men"))) == "NP[10@1 NP[men@1]]"


def test_several_roots_are_put_under_a_noun_phrase():
    assert shape(tree(("(NP*)", "Ann"), ("(VP*)", "left"))) == "NP[NP[Ann@0] VP[left@1]]"
    assert shape(tree(("(NP*)", "Ann"), ("*", "and"), ("(NP*)", "Ben"))) == ("NP[NP[Ann@0] and@2[NP[Ben@2]]]")


def test_without_any_bit_there_is_no_tree():
    assert tree(("-", "Ann"), ("-", "left")) is None
