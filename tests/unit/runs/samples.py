"""Runs to look at: small ones with everything a corpus may have."""

from datetime import UTC, datetime
from pathlib import Path

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.runs import Run
from corefbench.runs.record import record_scores
from corefbench.runs.schema import Timing

EXAMPLES = Path(__file__).parents[3] / "examples"
KEY = EXAMPLES / "key.conll"
RESPONSES = {name: EXAMPLES / f"{name}.response.conll" for name in ("cautious", "eager", "steady")}
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def run(profile: str = "conll-2012", **choices: str) -> Run:
    """The examples, scored; the same bytes whenever it is made."""
    return record_scores(KEY, RESPONSES, profile, created=NOON, timing=Timing(wall=1.5, cpu=1.25), **choices)


def rich_corpus() -> Corpus:
    """Texts, empty nodes, heads, minimal and discontinuous spans, relations, and all columns."""
    build = CorpusBuilder("rich")
    build.begin_document("a", 3, {"genre": "news"}, text="Ann saw ∅them, both.")
    build.sentence(
        ["Ann", "saw", "them"],
        empty=[False, False, True],
        columns={"lemma": ["Ann", "see", "they"], "speaker": ["x", "x", "ünï"]},
        offsets=[(0, 3), (4, 7), (8, 9)],
    )
    build.sentence([",", "both"], offsets=[(13, 14), (15, 19)])
    ann = build.mention("e1", [(0, 1)], head=0, minimum=[(0, 1)], columns={"etype": "person"})
    both = build.mention("e2", [(2, 3), (4, 5)], head=4)
    build.mention("e1", [(4, 5)], referring=False)
    build.split_antecedent(build.chain("e2"), build.chain("e1"))
    build.bridge(both, mention=ann, label="part")
    build.bridge(ann, chain=build.chain("e2"))
    build.begin_document("b", text="")
    build.begin_document("c", 0, {"topic": "36"}, text="He left")
    build.sentence(["He", "left"], offsets=[(0, 2), (3, 7)])
    build.mention("7", [(0, 1)])
    return build.finish()
