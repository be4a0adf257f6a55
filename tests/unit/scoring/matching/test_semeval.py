"""SemEval-2010's greedy matching, by hand and against scorer 1.04."""

import os
import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.matching.semeval import match
from corefbench.scoring.measures.contingency import contingency
from corefbench.scoring.measures.mention_detection import MentionDetection
from corefbench.scoring.measures.muc import MUC

Mention = tuple[str, int, int, int]
"""Chain, start, end, head."""


def corpus(*mentions: Mention, tokens: int = 20) -> Corpus:
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence([f"w{n}" for n in range(tokens)])
    for chain, start, end, head in mentions:
        build.mention(chain, [(start, end)], head=head)
    return build.finish()


def percent(measure, alignment: Alignment) -> tuple[float, float, float]:
    table = alignment if isinstance(measure, MentionDetection) else contingency(alignment)
    score = measure.score(measure.tally(table).sum())
    return tuple(round(100 * x, 1) for x in (score.recall, score.precision, score.f1))


def aligned(key: Corpus, response: Corpus) -> Alignment:
    return Alignment(key=key, response=response, twins=match(key, response))


KEY = (("k", 0, 5, 2), ("k", 6, 7, 6))


def test_a_partial_match_is_whole_for_chains_and_half_for_mentions():
    alignment = aligned(corpus(*KEY), corpus(("r", 1, 4, -1), ("r", 6, 7, -1)))
    assert percent(MentionDetection(), alignment) == (75.0, 75.0, 75.0)
    assert percent(MUC(), alignment) == (100.0, 100.0, 100.0)


def test_an_added_singleton_can_take_the_match_and_change_muc():
    response = corpus(("s", 0, 4, -1), ("r", 1, 4, -1), ("r", 6, 7, -1))
    alignment = aligned(corpus(*KEY), response)
    assert percent(MentionDetection(), alignment) == (75.0, 50.0, 60.0)
    assert percent(MUC(), alignment) == (0.0, 0.0, 0.0)


def test_the_head_must_be_inside_the_answer():
    assert match(corpus(*KEY), corpus(("r", 0, 2, -1))).key.tolist() == [-1]


def test_without_heads_the_first_token_is_the_head():
    key = corpus(("k", 0, 5, -1))
    assert match(key, corpus(("r", 0, 2, -1))).key.tolist() == [0]
    assert match(key, corpus(("r", 1, 4, -1))).key.tolist() == [-1]


def test_a_later_chain_replaces_the_match_and_both_stay_taken():
    key = corpus(("a", 0, 6, 2), ("b", 1, 5, 2), ("c", 1, 4, 2))
    twins = match(key, corpus(("r", 1, 3, -1), ("s", 2, 4, -1)))
    # The first answer takes a, then b, then c, and keeps c: nothing is left for the second.
    assert twins.key.tolist() == [2, -1]
    assert twins.credit.tolist() == [1.5, 0.0]


def test_in_later_chains_only_the_first_free_mention_is_tried():
    key = corpus(("a", 0, 6, 2), ("b", 1, 2, 1), ("b", 1, 5, 2))
    assert match(key, corpus(("r", 2, 4, -1))).key.tolist() == [0]
    both = match(key, corpus(("r", 1, 2, -1), ("s", 2, 4, -1)))
    assert key.mentions.end[both.key[1]] == 5  # b's first mention is taken, so its second is tried


def test_repeats_share_the_twin_and_the_first_has_the_credit():
    twins = match(corpus(*KEY), corpus(("r", 1, 4, -1), ("s", 1, 4, -1), ("s", 6, 7, -1)))
    assert twins.key.tolist() == [0, 0, 1]
    assert twins.credit.tolist() == [0.5, 0.0, 1.0]


def test_a_span_that_the_key_repeats_stands_for_its_later_chain():
    key = corpus(("a", 0, 2, 0), ("b", 0, 2, 0), ("b", 3, 4, 3))
    twin = match(key, corpus(("r", 0, 2, -1))).key[0]
    assert key.chains.label(int(key.mentions.chain[twin])) == "b"


def test_mentions_of_one_token_come_before_those_that_open_there():
    # Chain b, of token 2 alone, is met before chain a, which opens there: b's answer is first.
    key = corpus(("k", 0, 8, 2))
    twins = match(key, corpus(("a", 2, 5, -1), ("b", 2, 3, -1)))
    assert twins.key.tolist() == [-1, 0]


def test_five_thousand_mentions_in_a_document_take_less_than_a_few_seconds():
    rng = random.Random(1)
    key, response = [], []
    for n in range(5000):
        start = rng.randrange(20_000)
        key.append((str(rng.randrange(900)), start, start + rng.randint(2, 30), start + 1))
        response.append((str(n % 700), start + rng.randint(0, 1), start + 2, -1))
    sides = corpus(*key, tokens=20_100), corpus(*response, tokens=20_100)
    before = time.process_time()
    match(*sides)
    assert time.process_time() - before < 5


_DRIVER = r"""
use CorScorer;
my ($key, $response) = @ARGV;
my ($names, $places) = map { CorScorer::GetFileNames($_) } ($key, $response);
foreach my $name (sort keys %$names) {
  my $k = CorScorer::GetCoreference($key, -1, $name, $names->{$name});
  my $r = CorScorer::GetCoreference($response, -1, $name, $places->{$name});
  my %totals;
  my ($kc, $rc) = CorScorer::IdentifMentions($k, $r, \%totals);
  print "\@ $name $totals{recallDen} $totals{precisionDen} $totals{recallNum}\n";
  foreach my $side (['K', $k, $kc], ['R', $r, $rc]) {
    my ($tag, $spans, $ids) = @$side;
    for my $e (0 .. $#$spans) {
      for my $m (0 .. $#{$spans->[$e]}) {
        my ($s, $t, $h) = @{$spans->[$e][$m]};
        print "\@ $tag $s $t $h $ids->[$e][$m]\n";
      }
    }
  }
}
"""


@pytest.mark.slow
def test_scorer_1_04_makes_the_same_matches(tmp_path):
    folder = os.environ.get("COREFBENCH_PEERS")
    if not folder or not shutil.which("perl"):
        pytest.skip("needs perl, and COREFBENCH_PEERS to name the folder of the other scorers")
    rng = random.Random(3)
    documents = {f"d{n:04}": _generated(rng) for n in range(1500)}
    for side, name in enumerate(("key", "response")):
        text = "".join(_semeval(n, d[0], d[1 + side]) for n, d in documents.items())
        (tmp_path / name).write_text(text)
    library = Path(folder) / "semeval2010" / "scorer" / "official" / "lib"
    command = ["perl", f"-I{library}", "-e", _DRIVER, str(tmp_path / "key"), str(tmp_path / "response")]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    blocks = _read_dump(output)
    assert len(blocks) == len(documents)
    for name, (heads, key, response) in documents.items():
        totals, key_ids, response_ids, key_heads = blocks[name]
        sides = _read(heads, key, response)
        twins = match(*sides)
        spans = [list(zip(s.mentions.start.tolist(), (s.mentions.end - 1).tolist(), strict=True)) for s in sides]
        known = {number: span for span, number in key_ids.items()}
        expected = {span: known.get(number) for span, number in response_ids.items()}
        ours = {span: spans[0][k] if k >= 0 else None for span, k in zip(spans[1], twins.key.tolist(), strict=True)}
        assert ours == expected, name
        assert dict(zip(spans[0], sides[0].mentions.head.tolist(), strict=True)) == key_heads
        tally = MentionDetection().tally(Alignment(key=sides[0], response=sides[1], twins=twins))
        sums = tally.sum()
        assert totals == [sums["recall_total"], sums["precision_total"], sums["recall_hits"]], name


Chains = dict[int, list[tuple[int, int]]]
_LENGTH = 9


def _generated(rng: random.Random) -> tuple[list[int], Chains, Chains]:
    """Heads of two sentences (1-based, 0: root), and chains of inclusive spans inside them."""
    heads = [rng.randint(0, _LENGTH) for _ in range(2 * _LENGTH)]

    def chains() -> Chains:
        made: Chains = {}
        for _ in range(rng.randint(1, 12)):
            sentence = _LENGTH * rng.randrange(2)
            start = rng.randrange(_LENGTH)
            end = min(_LENGTH - 1, start + rng.choice([0, 0, 1, 2, 3, 5, 8]))
            span = sentence + start, sentence + end
            chain = made.setdefault(rng.randint(1, 5), [])
            if not any(_cross(span, other) for other in chain):
                chain.append(span)
        return {label: spans for label, spans in made.items() if spans}

    return heads, chains(), chains()


def _cross(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether brackets of one chain could not tell the spans apart, or would be read as one."""
    return a == b or a[0] < b[0] <= a[1] < b[1] or b[0] < a[0] <= b[1] < a[1]


def _cells(chains: Chains) -> list[str]:
    opening: list[list[tuple[int, int, str]]] = [[] for _ in range(2 * _LENGTH)]
    closing: list[list[tuple[int, str]]] = [[] for _ in range(2 * _LENGTH)]
    for label, spans in chains.items():
        for start, end in spans:
            text = f"({label})" if start == end else f"({label}"
            opening[start].append((-end, label, text))
            if start != end:
                closing[end].append((-start, f"{label})"))
    return [
        "|".join([t for *_, t in sorted(o)] + [t for _, t in sorted(c)]) or "_"
        for o, c in zip(opening, closing, strict=True)
    ]


def _semeval(name: str, heads: list[int], chains: Chains) -> str:
    lines = [f"#begin document {name}"]
    for n, cell in enumerate(_cells(chains)):
        if n == _LENGTH:
            lines.append("")
        token = [str(n % _LENGTH + 1), f"w{n}", *"_" * 6, str(heads[n]), *"_" * 3, cell]
        lines.append("\t".join(token))
    return "\n".join([*lines, "", f"#end document {name}", ""])


def _read(heads: list[int], *sides: Chains) -> list[Corpus]:
    """The corpora, chains numbered as their brackets are met from left to right."""
    corpora = []
    for chains in sides:
        build = CorpusBuilder("test")
        build.begin_document("d")
        build.sentence([f"w{n}" for n in range(2 * _LENGTH)])
        spans = sorted((s, -e, label) for label, some in chains.items() for s, e in some)
        for start, negative_end, label in spans:
            end = -negative_end
            build.mention(str(label), [(start, end + 1)], head=_head(heads, start, end))
        corpora.append(build.finish())
    return corpora


def _head(heads: list[int], start: int, end: int) -> int:
    low, high = start % _LENGTH + 1, end % _LENGTH + 1
    outside = [t for t in range(start, end + 1) if not low <= heads[t] <= high]
    return outside[0] if outside and start != end else start


def _read_dump(output: str):
    blocks, name = {}, ""
    for line in output.splitlines():
        if not line.startswith("@ "):
            continue
        kind, *fields = line[2:].split()
        if kind in "KR":
            start, end, head, number = map(int, fields)
            blocks[name][1 if kind == "K" else 2][start, end] = number
            if kind == "K":
                blocks[name][3][start, end] = head
        else:
            name = kind
            blocks[name] = [float(f) for f in fields], {}, {}, {}
    return blocks


def test_empty_nodes_of_one_side_do_not_count():
    """Ann [zero] saw her: the zero shifts nothing."""

    def corpus(*, zero):
        build = CorpusBuilder("")
        build.begin_document("d")
        words = ["Ann", "_", "saw", "her"] if zero else ["Ann", "saw", "her"]
        build.sentence(words, empty=[word == "_" for word in words])
        last = len(words) - 1
        build.mention("1", [(0, 1)], head=0)
        build.mention("1", [(last, last + 1)], head=last)
        return build.finish()

    assert match(corpus(zero=True), corpus(zero=False)).key.tolist() == [0, 1]


"""Chain, start, end, head."""


def corpus_semeval_order(*documents: list[Mention], empty: frozenset[int] = frozenset()) -> Corpus:
    """Documents of twelve tokens, those in ``empty`` empty nodes."""
    build = CorpusBuilder("test")
    for number, mentions in enumerate(documents):
        build.begin_document(f"d{number}")
        build.sentence([f"w{n}" for n in range(12)], empty=[n in empty for n in range(12)])
        for chain, start, end, head in mentions:
            build.mention(chain, [(start, end)], head=head)
    return build.finish()


def answers(key: list[Mention], *response: Mention) -> dict[tuple[int, int], tuple[str, int, int]]:
    """For every response span with a twin the chain and the span of the twin."""
    return found(corpus_semeval_order(key), corpus_semeval_order([*response]))


def found(key: Corpus, response: Corpus) -> dict[tuple[int, int], tuple[str, int, int]]:
    k, r = key.mentions, response.mentions
    return {
        (int(r.start[m]), int(r.end[m])): (key.chains.label(int(k.chain[twin])), int(k.start[twin]), int(k.end[twin]))
        for m, twin in enumerate(match(key, response).key.tolist())
        if twin >= 0
    }


def test_what_is_matched_exactly_is_not_matched_again():
    key = [("a", 0, 5, 2)]
    assert answers(key, ("r", 0, 5, -1), ("r", 1, 4, -1)) == {(0, 5): ("a", 0, 5)}


def test_what_has_an_exact_match_keeps_it():
    """The longer key mention holds the answer (0, 2) too, and has its head in it."""
    key, response = [("a", 0, 2, 0), ("b", 0, 5, 0)], [("r", 0, 2, -1), ("s", 7, 8, -1)]
    assert answers(key, *response) == {(0, 2): ("a", 0, 2)}
    assert match(corpus_semeval_order(key), corpus_semeval_order(response)).credit.tolist() == [1, 0]


def test_an_answer_may_end_where_the_key_mention_ends():
    assert answers([("a", 0, 5, 2)], ("r", 1, 5, -1)) == {(1, 5): ("a", 0, 5)}


def test_of_mentions_that_end_together_the_inner_is_the_first():
    assert answers([("a", 0, 6, 5), ("a", 4, 6, 5)], ("r", 5, 6, -1)) == {(5, 6): ("a", 4, 6)}


def test_a_mention_of_one_token_comes_before_one_of_two():
    key = [("k", 0, 8, 2)]
    assert answers(key, ("a", 2, 4, -1), ("b", 2, 3, -1)) == {(2, 3): ("k", 0, 8)}


def test_where_a_mention_is_taken_the_next_of_its_chain_is_tried():
    key = [("a", 0, 6, 2), ("a", 1, 5, 2)]
    assert answers(key, ("r", 1, 5, -1), ("r", 2, 4, -1)) == {(1, 5): ("a", 1, 5), (2, 4): ("a", 0, 6)}


def test_a_chain_that_does_not_fit_does_not_end_the_search():
    """Of b only (1, 2), which does not fit, is tried; c fits and replaces a."""
    key = [("a", 0, 6, 2), ("b", 1, 2, 1), ("b", 1, 5, 2), ("c", 1, 4, 2)]
    assert answers(key, ("r", 2, 4, -1)) == {(2, 4): ("c", 1, 4)}


def test_nothing_on_one_side_matches_nothing():
    assert match(corpus_semeval_order([]), corpus_semeval_order([("r", 0, 1, -1)])).key.tolist() == [-1]
    assert match(corpus_semeval_order([("k", 0, 1, 0)]), corpus_semeval_order([])).key.tolist() == []
    assert match(corpus_semeval_order([]), corpus_semeval_order([])).key.tolist() == []


@pytest.mark.parametrize("documents", [(0, 1), (1, 0), (1, 2), (2, 1)])
def test_mentions_are_sought_in_their_own_document(documents: tuple[int, int]):
    """Every document has something left over on both sides, which does not fit."""
    sides = []
    for side, fitting in enumerate((("k", 0, 5, 2), ("r", 1, 4, -1))):
        left_over = ("x", 6 + 3 * side, 8 + 3 * side, -1)
        made: list[list[Mention]] = [[left_over], [left_over], [left_over]]
        made[documents[side]].append(fitting)
        sides.append(corpus_semeval_order(*made))
    assert found(*sides) == {}


def test_the_empty_nodes_of_earlier_documents_shift_nothing():
    """Token 2 of both key documents is empty, which the response does not have."""
    key = corpus_semeval_order([("a", 0, 2, 0)], [("a", 3, 7, 4)], empty=frozenset({2}))
    assert found(key, corpus_semeval_order([], [("r", 2, 6, -1)])) == {(2, 6): ("a", 3, 7)}
    assert found(key, corpus_semeval_order([], [("r", 3, 5, -1)])) == {(3, 5): ("a", 3, 7)}


def test_a_head_that_is_the_first_token_stays_it():
    key = corpus_semeval_order([("a", 0, 4, 0)], empty=frozenset({2}))
    assert found(key, corpus_semeval_order([("r", 0, 1, -1)])) == {(0, 1): ("a", 0, 4)}
    assert found(key, corpus_semeval_order([("r", 1, 2, -1)])) == {}
