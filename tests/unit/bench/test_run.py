"""Comparisons on a corpus with trees: what is counted, paired and signed."""

import sys
from pathlib import Path

import pytest

from corefbench.analysis.significance import McNemar
from corefbench.analysis.statistics.counts import Rate
from corefbench.analysis.statistics.pronouns import count_pronouns
from corefbench.bench.plan import Plan
from corefbench.bench.run import Bench, compare_benches, run_bench
from corefbench.corpus.builder import CorpusBuilder
from corefbench.errors import FormatError, UnknownName
from corefbench.formats.load import load
from tests.unit.bench.texts import CONLLU, FIRST, corpus

PLAN = Plan(resolvers=("most-recent", "most-recent-subject", "cogniac"), mode="annotated")


@pytest.fixture(scope="module")
def bench() -> Bench:
    return run_bench(corpus(), PLAN)


def test_trees_are_taken_from_the_corpus_in_annotated_mode(bench: Bench) -> None:
    assert bench.preprocessing == "conllu"
    assert bench.documents == ("first", "second")
    assert bench.words == (10, 9)
    assert bench.lost == 0


def test_rates_are_those_of_the_answers_counted_by_hand(bench: Bench) -> None:
    # she → Ann, him → Tom, her → She: right by gender. it → a cat, the nearest: wrong.
    recent = bench["most-recent"]
    assert recent.rates.success_rate == recent.rates.precision == Rate(hits=3, total=4)
    # it → The dog, the subject: right. him → no subject before it is masculine: left alone.
    subject = bench["most-recent-subject"]
    assert subject.rates.success_rate == Rate(hits=3, total=4)
    assert subject.rates.precision == Rate(hits=3, total=3)


def test_rates_of_documents_add_up_to_those_of_the_corpus(bench: Bench) -> None:
    for performance in bench.performances:
        first, second = performance.by_document().values()
        assert first + second == performance.rates


def test_pairs_are_the_same_anaphors_of_the_same_documents(bench: Bench) -> None:
    # him: only most-recent; it: only most-recent-subject → p = min(1, 2 · P(X ≤ 1)), X ~ B(2, ½)
    found = bench.mcnemar("most-recent", "most-recent-subject")
    assert found == McNemar(only_first=1, only_second=1, p=1.0)
    other = bench.mcnemar("most-recent-subject", "most-recent")
    assert (other.only_first, other.only_second, other.p) == (1, 1, 1.0)
    assert bench.mcnemar("cogniac", "cogniac") == McNemar(only_first=0, only_second=0, p=1.0)


def test_pronouns_are_shown_in_their_words(bench: Bench) -> None:
    assert bench.snippets["second"] == {6: "The dog saw a cat . [It] barked ."}


def test_the_signature_has_all_that_a_number_depends_on(bench: Bench) -> None:
    signature = bench.signature("cogniac")
    for part in ("cogniac|", "mode:annotated", "preprocess:conllu", "mentions:gold", "match:head"):
        assert part in signature
    assert bench.corpus in signature
    assert bench.corpus.partition("@")[2] != ""


def test_parameters_are_part_of_a_resolvers_name() -> None:
    plan = Plan(resolvers=("random(seed=7)", "random"), mode="annotated")
    found = run_bench(corpus(), plan)
    assert [p.resolver for p in found.performances] == ["random(seed=7)", "random"]
    with pytest.raises(KeyError):
        found["random(seed=8)"]


def test_a_file_gives_what_the_corpus_in_memory_gives(tmp_path: Path, bench: Bench) -> None:
    path = tmp_path / "memory.conllu"
    path.write_bytes(CONLLU)
    found = run_bench(path, PLAN)
    assert [p.verdicts for p in found.performances] == [p.verdicts for p in bench.performances]


def test_the_result_does_not_depend_on_the_number_of_processes(bench: Bench) -> None:
    told: list[int] = []
    found = run_bench(corpus(), PLAN, jobs=2, begin=told.append, advance=told.append)
    assert told == [2, 1, 1]
    for one, other in zip(found.performances, bench.performances, strict=True):
        assert one.verdicts == other.verdicts
        assert one.scores == other.scores
        assert one.conll == other.conll
    assert (found.corpus, found.documents, found.words) == (bench.corpus, bench.documents, bench.words)
    assert found.snippets == bench.snippets
    assert found.statistics == bench.statistics


def test_predicted_phrases_may_stand_beside_gold_trees() -> None:
    plan = Plan(resolvers=("most-recent",), mode="annotated", mentions="predicted")
    found = run_bench(corpus(), plan)
    assert "mentions:predicted" in found.signature("most-recent")
    assert found["most-recent"].rates.success_rate.total == 4


def test_another_program_is_compared_with_its_own_mentions(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "words = sys.stdin.read().split()\n"
        "print('#begin document (x);')\n"
        "for word in words:\n"
        "    print('x 0 0', word, '(1)' if word in ('Ann', 'She', 'dog', 'It') else '-')\n"
        "print('\\n#end document')\n"
    )
    command = f"command(run={sys.executable} {program},answers=conll)"
    found = run_bench(corpus(), Plan(resolvers=(command,), mode="annotated"))
    # She → Ann and It → dog; him and her are left alone.
    assert found.performances[0].rates.success_rate == Rate(hits=2, total=4)
    assert found.performances[0].rates.precision == Rate(hits=2, total=2)


def test_an_unknown_resolver_raises_before_the_work_begins() -> None:
    begun: list[int] = []
    with pytest.raises(UnknownName, match="did you mean cogniac"):
        run_bench(corpus(), Plan(resolvers=("cogniak",)), begin=begun.append)
    assert begun == []


def test_a_corpus_without_documents_is_refused() -> None:
    with pytest.raises(FormatError) as refused:
        run_bench(CorpusBuilder("none").finish(), PLAN)
    assert refused.value.code == "CB102"


def test_two_documents_of_one_name_are_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.conllu").write_text(FIRST, encoding="utf-8")
    with pytest.raises(FormatError) as refused:
        run_bench(tmp_path, PLAN)
    assert refused.value.code == "CB109"


def test_resolvers_of_a_bench_are_compared_by_their_verdicts(bench: Bench) -> None:
    found = compare_benches({"run": bench})
    recent = found["most-recent"].scores["pronouns"]
    # Counted by hand: 3 of 4 right, 4 attempted; 3 of 4, 3 attempted.
    assert (recent["recall"].value, recent["precision"].value) == (0.75, 0.75)
    assert found["most-recent-subject"].scores["pronouns"]["precision"].value == 1.0
    expected = bench.mcnemar("most-recent", "most-recent-subject")
    test = found.pairs[0].pronouns
    assert (test.only_first, test.only_second, test.p) == (expected.only_first, expected.only_second, expected.p)


TRAY = b"""<P><S><COREF ID="ref1"><NP><w DEP="2" GFUN="DN" POS="DET" LEMMA="the">The</w>
<w DEP="3" GFUN="SUBJ" POS="N" LEMMA="printer" NR="SG">printer</w></NP></COREF>
<w DEP="0" GFUN="+FMAINV" POS="V" LEMMA="have">has</w>
<NP><w DEP="5" GFUN="DN" POS="DET" LEMMA="a">a</w>
<w DEP="3" GFUN="OBJ" POS="N" LEMMA="tray" NR="SG">tray</w></NP></S>
<S><COREF ID="ref2" REF="ref1"><NP><w DEP="2" GFUN="SUBJ" POS="PRON" LEMMA="it">It</w></NP></COREF>
<w DEP="0" GFUN="+FMAINV" POS="V" LEMMA="work">works</w></S></P>"""


def test_noun_phrases_outside_chains_are_candidates_in_annotated_mode() -> None:
    # Section 2.2 of Barbu & Mitkov (2001): all noun phrases of the file are in the shared list.
    result = run_bench(load(TRAY), Plan(resolvers=("most-recent",), mode="annotated"))
    (verdict,) = result.performances[0].verdicts
    assert (verdict.candidates, verdict.shared_candidates) == (2, 2)
    pronouns = count_pronouns(load(TRAY))
    assert pronouns.candidates == {2: 1}
    assert pronouns.noun_phrase_distances == {1: 1}
    only_mentions = run_bench(load(TRAY), Plan(resolvers=("most-recent",), mode="annotated", mentions="gold"))
    assert only_mentions.performances[0].verdicts[0].candidates == 1
