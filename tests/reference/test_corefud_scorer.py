"""Twins, MOR and the zero score against the CorefUD scorer, on generated documents.

Needs the original program: COREFBENCH_PEERS names the folder that holds ``corefud-scorer``,
COREFBENCH_PEERS_PYTHON an interpreter that has udapi (by default the one that runs the tests).

Two things are not generated, since there the original goes by the order of a set of hashes: on one
side, mentions of the same words with different heads, and of the same first word, last word and
number of words with others between.
"""

import json
import os
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.combine import keep_mentions
from corefbench.corpus.corpus import Corpus
from corefbench.scoring.matching import exact, head, partial
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.measures.mention_overlap import MentionOverlap
from corefbench.scoring.measures.zero_anaphora import ZeroAnaphora

pytestmark = pytest.mark.slow

FILES = int(os.environ.get("COREFBENCH_FUZZ_FILES", "4"))
DOCUMENTS_PER_FILE = 40
JOBS_PER_PROCESS = 120
"""The scorer keeps what it has read, and becomes slower with every file."""
RULES = {
    ("exact", "dependent"): exact.match,
    ("exact", "linear"): exact.match_linear,
    ("partial-corefud", "dependent"): partial.match,
    ("partial-corefud", "linear"): partial.match_linear,
    ("head", "dependent"): head.match,
    ("head", "linear"): head.match_linear,
}

DRIVER = """
import json, sys
sys.path.insert(0, sys.argv[1])
from scorer.corefud.reader import CorefUDReader
from scorer.eval.evaluator import Evaluator, als_zeros, mention_overlap

def name(mention):
    words = [str(w).split("-") for w in mention.words]
    (head,) = mention._minset
    return [[[int(a), b] for a, b in words], str(head).split("-")[1]]

answers = []
for key, response, match, method, singletons in json.load(sys.stdin):
    reader = CorefUDReader(
        keep_singletons=singletons, match=match, keep_zeros=True, zero_match_method=method
    )
    reader.get_coref_infos(key, response)
    documents = []
    for document, info in reader.doc_coref_infos.items():
        counts = []
        for metric in (mention_overlap, als_zeros):
            evaluator = Evaluator(metric)
            evaluator.update(info)
            counts.append(list(evaluator.get_counts()))
        pairs = [[name(k), name(r)] for k, r in reader.doc_mention_aligns[document]]
        documents.append({"pairs": pairs, "mor": counts[0], "zero": counts[1]})
    answers.append(documents)
json.dump(answers, sys.stdout)
"""


class Marked(NamedTuple):
    words: tuple[int, ...]
    """Positions in the sentence."""
    head: int
    chain: int


class Line(NamedTuple):
    """A sentence: its IDs, the DEPS of its empty nodes, its mentions."""

    ids: list[str]
    deps: list[str]
    marked: list[Marked]


def test_twins_and_counts_are_those_of_the_corefud_scorer(tmp_path):
    peers, python = _peer()
    jobs, ours = [], []
    for seed in range(FILES):
        key, response = _generate(random.Random(seed))
        files = [tmp_path / f"{seed}.{side}.conllu" for side in ("key", "response")]
        for file, documents in zip(files, (key, response), strict=True):
            file.write_text(_conllu(documents), encoding="utf-8")
        for (match, method), rule in RULES.items():
            for singletons in (True, False):
                jobs.append((*map(str, files), match, method, singletons))
                ours.append((rule, _corpus(key, singletons), _corpus(response, singletons)))
    theirs = _run(python, peers / "corefud-scorer", jobs)
    wrong = []
    for job, (rule, key, response), documents in zip(jobs, ours, theirs, strict=True):
        answers = _answers(rule, "head" if job[2] == "head" else "words", key, response)
        for index, (mine, other) in enumerate(zip(answers, documents, strict=True)):
            wrong += [(*job[2:], Path(job[0]).name, index, f) for f in mine if mine[f] != other[f]]
    assert not wrong, f"{len(wrong)} of {sum(map(len, theirs))} differ: {wrong[:5]}"


def _peer() -> tuple[Path, str]:
    peers = os.environ.get("COREFBENCH_PEERS")
    python = os.environ.get("COREFBENCH_PEERS_PYTHON", sys.executable)
    if not peers or not Path(peers, "corefud-scorer").is_dir():
        pytest.skip("COREFBENCH_PEERS names no folder with corefud-scorer")
    if subprocess.run([python, "-c", "import udapi"], capture_output=True, check=False).returncode:
        pytest.skip("COREFBENCH_PEERS_PYTHON has no udapi")
    return Path(peers), python


def _run(python: str, scorer: Path, jobs: list) -> list:
    answers = []
    for first in range(0, len(jobs), JOBS_PER_PROCESS):
        done = subprocess.run(
            [python, "-c", DRIVER, str(scorer)],
            input=json.dumps(jobs[first : first + JOBS_PER_PROCESS]),
            capture_output=True,
            text=True,
            check=True,
        )
        answers += json.loads(done.stdout)
    for document in (d for documents in answers for d in documents):
        document["pairs"] = {
            tuple((tuple((s, i) for s, i in words), head) for words, head in pair) for pair in document["pairs"]
        }
    return answers


def _answers(rule, counterpart: str, key: Corpus, response: Corpus) -> list[dict]:
    twins = rule(key, response)
    alignment = Alignment(key=key, response=response, twins=twins)
    mor, zero = (m.tally(alignment) for m in (MentionOverlap(), ZeroAnaphora(counterpart=counterpart)))
    names = _names(key), _names(response)
    pairs: list[set] = [set() for _ in range(len(key))]
    for r, k in enumerate(twins.key.tolist()):
        if k >= 0:
            pairs[response.mentions.document[r]].add((names[0][k], names[1][r]))
    columns = ("precision_hits", "precision_total", "recall_hits", "recall_total")
    return [
        {"pairs": pairs[d], "mor": [mor[c][d] for c in columns], "zero": [zero[c][d] for c in columns]}
        for d in range(len(key))
    ]


def _names(corpus: Corpus) -> list:
    """What the original calls each mention: (sentence, ID) of the words, ID of the head."""
    ids = corpus.tokens.columns["id"]
    names = []
    for document in corpus:
        first = int(corpus.tokens.offsets[document.index])
        for mention in document.mentions:
            tokens = [first + t for a, b in mention.parts for t in range(a, b)]
            sentences = np.searchsorted(corpus.tokens.sentences, tokens, "right").tolist()
            words = tuple((s, ids[t]) for s, t in zip(sentences, tokens, strict=True))
            names.append((words, ids[first + mention.head]))
    return names


# ── generated documents ──


def _generate(chance: random.Random) -> tuple[list[list[Line]], list[list[Line]]]:
    pairs = [_document_pair(chance) for _ in range(DOCUMENTS_PER_FILE)]
    return [key for key, _ in pairs], [response for _, response in pairs]


def _document_pair(chance: random.Random) -> tuple[list[Line], list[Line]]:
    chains = chance.randint(2, 4)
    key, response = [], []
    for _ in range(chance.randint(1, 4)):
        size = chance.randint(3, 7)
        line = _line(chance, size, [_empties(chance, n == 0) for n in range(size + 1)])
        for _ in range(chance.randint(1, 7)):
            _mark(line, chance, _some_words(chance, len(line.ids)), chance.randrange(chains))
        key.append(line)
        response.append(_answer(chance, line, size, chains))
    return key, response


def _empties(chance: random.Random, opening: bool) -> int:
    return chance.choices((0, 1, 2), (9, 2, 1) if opening else (7, 2, 1))[0]


def _line(chance: random.Random, size: int, empties: list[int]) -> Line:
    ids, deps = [], []
    for n, count in enumerate(empties):
        if n:
            ids.append(str(n))
            deps.append("_")
        for minor in range(1, count + 1):
            ids.append(f"{n}.{minor}")
            parents = chance.sample(range(1, size + 1), chance.choice((1, 1, 2)))
            relations = [chance.choice(("nsubj", "obj", "obl:arg")) for _ in parents]
            deps.append("|".join(f"{p}:{r}" for p, r in zip(parents, relations, strict=True)))
    return Line(ids, deps, [])


def _some_words(chance: random.Random, size: int) -> set[int]:
    start = chance.randrange(size)
    words = set(range(start, min(size, start + chance.choice((1, 1, 2, 3, 4)))))
    if chance.random() < 0.25 and len(words) > 2:
        words.remove(sorted(words)[1])
    return words


def _answer(chance: random.Random, key: Line, size: int, chains: int) -> Line:
    """The key's sentence again, its empty nodes and its mentions changed a little."""
    counts = [sum(i.startswith(f"{n}.") for i in key.ids) for n in range(size + 1)]
    if chance.random() < 0.6:
        counts = [max(0, c + chance.choice((-1, 0, 0, 0, 1))) for c in counts]
    line = _line(chance, size, counts)
    for position, name in enumerate(line.ids):
        if name in key.ids and chance.random() < 0.7:
            line.deps[position] = key.deps[key.ids.index(name)]
    where = {name: position for position, name in enumerate(line.ids)}
    for marked in key.marked:
        names = [key.ids[w] for w in marked.words]
        words = {where[n] for n in names if n in where}
        if chance.random() < 0.35:
            words ^= _some_words(chance, len(line.ids))
        if words and chance.random() < 0.85:
            chain = marked.chain if chance.random() < 0.75 else chance.randrange(chains)
            kept = where.get(key.ids[marked.head])
            _mark(line, chance, words, chain, kept if chance.random() < 0.8 else None)
    for _ in range(chance.randint(0, 2)):
        _mark(line, chance, _some_words(chance, len(line.ids)), chance.randrange(chains))
    return line


def _mark(line: Line, chance: random.Random, words: set[int], chain: int, head: int | None = None) -> None:
    """Add a mention, unless the format could not tell it from others of its chain."""
    mine = tuple(sorted(words))
    if head not in words:
        head = chance.choice(mine)
    for other in line.marked:
        if other.words == mine:
            if chance.random() < 0.8:
                return
            head = other.head
        elif (other.words[0], other.words[-1], len(other.words)) == (mine[0], mine[-1], len(mine)):
            return
    for other in (m for m in line.marked if m.chain == chain):
        a, b = sorted(((mine[0], mine[-1]), (other.words[0], other.words[-1])))
        broken = _is_broken(mine) or _is_broken(other.words)
        crossing = a[0] < b[0] <= a[1] < b[1]
        if a == b or crossing or (broken and b[0] <= a[1]):
            return
    line.marked.append(Marked(mine, head, chain))


def _is_broken(words: tuple[int, ...]) -> bool:
    return words[-1] - words[0] + 1 != len(words)


def _runs(words: tuple[int, ...]) -> list[tuple[int, int]]:
    cuts = [n for n in range(1, len(words)) if words[n] != words[n - 1] + 1]
    edges = [0, *cuts, len(words)]
    return [(words[a], words[b - 1] + 1) for a, b in pairwise(edges)]


# ── as CoNLL-U, and as a corpus ──


def _conllu(documents: list[list[Line]]) -> str:
    lines = ["# global.Entity = eid-etype-head-other"]
    for d, document in enumerate(documents):
        lines.append(f"# newdoc id = d{d}")
        for s, line in enumerate(document):
            lines.append(f"# sent_id = d{d}-{s}")
            cells = _entities(line, d)
            for name, deps, cell in zip(line.ids, line.deps, cells, strict=True):
                parent = "_" if "." in name else str(int(name) - 1)
                misc = f"Entity={cell}" if cell else "_"
                form = "_" if "." in name else f"w{name}"
                lines.append(f"{name}\t{form}\t_\t_\t_\t_\t{parent}\t_\t{deps}\t{misc}")
            lines.append("")
    return "\n".join(lines) + "\n"


def _entities(line: Line, document: int) -> list[str]:
    opens: list[list[tuple[int, str]]] = [[] for _ in line.ids]
    closes: list[list[tuple[int, str]]] = [[] for _ in line.ids]
    single: list[list[str]] = [[] for _ in line.ids]
    for marked in line.marked:
        runs = _runs(marked.words)
        for n, (a, b) in enumerate(runs, 1):
            name = f"d{document}e{marked.chain}" + (f"[{n}/{len(runs)}]" if len(runs) > 1 else "")
            opening = f"({name}-x-{marked.words.index(marked.head) + 1}-"
            if b - a == 1:
                single[a].append(opening + ")")
            else:
                opens[a].append((a - b, opening))
                closes[b - 1].append((b - a, name + ")"))
    return [
        "".join([c for _, c in sorted(shut)] + [o for _, o in sorted(opened)] + lone)
        for opened, shut, lone in zip(opens, closes, single, strict=True)
    ]


def _corpus(documents: list[list[Line]], singletons: bool) -> Corpus:
    build = CorpusBuilder("generated")
    for d, document in enumerate(documents):
        build.begin_document(f"d{d}")
        for line in document:
            shift = build.position
            empty = ["." in name for name in line.ids]
            build.sentence(line.ids, empty=empty, columns={"id": line.ids, "deps": line.deps})
            # Chains are numbered by first appearance: in the order that udapi gives mentions.
            for marked in sorted(line.marked, key=lambda m: (m.words[0], -len(m.words), m.words[-1], m.chain)):
                runs = [(shift + a, shift + b) for a, b in _runs(marked.words)]
                build.mention(f"e{marked.chain}", runs, head=shift + marked.head)
    corpus = build.finish()
    if singletons:
        return corpus
    return keep_mentions(corpus, corpus.chain_sizes()[corpus.mentions.chain] > 1)
