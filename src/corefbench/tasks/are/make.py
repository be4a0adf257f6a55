"""Make the corpora of the tasks from a coreference corpus.

Task 1 marks every noun phrase that could be an antecedent, and lists the third-person pronouns that
are in a chain with another mention. Task 2 marks the noun phrases that are in chains of two and
more; so do the keys of tasks 3 and 4, whose input is the numbered words alone.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.arrays import number_by_appearance
from corefbench.corpus.builder import label_array
from corefbench.corpus.combine import keep_mentions
from corefbench.corpus.corpus import Chains, Corpus, Mentions, Relations
from corefbench.corpus.strings import Strings
from corefbench.formats.base import require_words
from corefbench.formats.common.spans import select_nested
from corefbench.preprocess.english.pronouns import THIRD_PERSON
from corefbench.records import Flags, Longs, Record
from corefbench.scoring.policy.singletons import without_singletons
from corefbench.tasks.are.result import find_task

KEPT_RELATIONS = ("IDENTITY", "SYNONYMY", "GENERALISATION", "SPECIALISATION")
"""The relations that count."""
_KEPT_LINKS = (
    *(*KEPT_RELATIONS, "IDENT", "SYNONYM", "GENERALIZATION", "SPECIALIZATION"),
    *("NP", "COREF", "CERTAIN", "NONE"),
)
_DROPPED_LINKS = (
    *("COPULAR", "APPOSITION", "APPOS", "BRACKETED TEXT", "SPEECH PRONOUN", "OTHER"),
    *("INDIRECT", "UCOREF", "UNCERTAIN"),
    "OPT",  # MUC's optional link
)
LINK_WORDS: Mapping[str, bool] = dict.fromkeys(_KEPT_LINKS, True) | dict.fromkeys(_DROPPED_LINKS, False)
"""The values of attributes of links, and whether such a link is kept."""
_VERBAL = ("VERB", "AUX", "VB", "MD")
_TAGS = ("upos", "xpos", "pos")


class DroppedCounts(Record, frozen=True):
    """Counts of what was left out."""

    links: int = 0
    """Mentions removed from their chains."""
    mentions: int = 0
    """Mentions that are not noun phrases or do not refer."""


class TaskCorpora(Record, frozen=True):
    """The corpora of all tasks, and counts of what was left out."""

    tasks: dict[int, Corpus]
    dropped: DroppedCounts
    crossing: int
    """Mentions that tasks 1 and 2 cannot mark: they cross another one or a sentence boundary."""

    def pronouns(self, task: int) -> int:
        """Count the pronouns to resolve."""
        return sum(map(bool, self.tasks[task].mentions.columns["anaphoric"]))


def make_tasks(corpus: Corpus) -> TaskCorpora:
    """Return the corpora of the four tasks."""
    kept, dropped = filter_corpus(corpus)
    tasks = {task: _restrict_to_task(kept, task) for task in (1, 2, 3, 4)}
    crossing = len(without_empty_nodes(kept).mentions) - len(tasks[1].mentions)
    return TaskCorpora(tasks=tasks, dropped=dropped, crossing=crossing)


def make_task_corpus(corpus: Corpus, task: int) -> Corpus:
    """Return the corpus of one task, whose mentions have ``id`` and ``anaphoric``.

    A corpus that was made for the task before is not changed.
    """
    return _restrict_to_task(filter_corpus(corpus)[0], task)


def _restrict_to_task(filtered: Corpus, task: int) -> Corpus:
    require_words(filtered)
    corpus = without_empty_nodes(filtered)
    corpus = replace(corpus, mentions=_bare_mentions(corpus))
    if find_task(task).gives_entities:
        corpus = keep_mentions(corpus, _is_nested(corpus))
    if task != 1:
        corpus = without_singletons(corpus)
    columns = {"id": corpus.mentions.columns["id"], "anaphoric": _anaphoric_column(corpus)}
    return replace(corpus, mentions=replace(corpus.mentions, columns=columns))


def _bare_mentions(corpus: Corpus) -> Mentions:
    """Return mentions without heads and attributes, which participants do not see."""
    known = corpus.mentions.columns
    columns = {"id": Strings.of(_mention_ids(corpus))}
    if "anaphoric" in known:
        columns["anaphoric"] = known["anaphoric"]
    return replace(corpus.mentions, head=None, parts=None, minimum=None, referring=None, columns=columns)


def _mention_ids(corpus: Corpus) -> Iterator[str]:
    """Yield the ids of mentions, or numbers in documents whose ids are not unique."""
    annotated = corpus.mentions.columns.get("id")
    for document in corpus:
        numbers = [mention.index for mention in document.mentions]
        ids = [annotated[number] for number in numbers] if annotated is not None else []
        if ids and all(ids) and len(set(ids)) == len(ids):
            yield from ids
        else:
            yield from (str(index + 1) for index in range(len(numbers)))


def _is_nested(corpus: Corpus) -> Flags:
    """Flag the mentions that inline tags can mark."""
    keep = np.zeros(len(corpus.mentions), np.bool_)
    for document in corpus:
        mentions = document.mentions
        spans = [(m.start, m.end) for m in mentions]
        for index in select_nested(spans, [start for start, _ in document.sentences]):
            keep[mentions[index].index] = True
    return keep


def _anaphoric_column(corpus: Corpus) -> Strings:
    """Return ``yes`` for the pronouns to resolve, annotated or found by their form."""
    if "anaphoric" in corpus.mentions.columns:
        return corpus.mentions.columns["anaphoric"]
    sizes = corpus.chain_sizes()[corpus.mentions.chain].tolist()
    return Strings.of(
        "yes" if sizes[mention.index] > 1 and is_third_person(words, mention.start, mention.end) else ""
        for document in corpus
        for words in [document.words]
        for mention in document.mentions
    )


def is_third_person(words: list[str], start: int, end: int) -> bool:
    """Whether a span is one of the pronouns that the exercise is about.

    >>> is_third_person(["He", "left"], 0, 1), is_third_person(["I", "left"], 0, 1)
    (True, False)
    """
    return end - start == 1 and words[start].lower() in THIRD_PERSON


def without_empty_nodes(corpus: Corpus) -> Corpus:
    """Return the corpus without empty nodes, and without mentions that consist of them.

    >>> from corefbench.corpus.builder import CorpusBuilder
    >>> build = CorpusBuilder("sample")
    >>> build.begin_document("d")
    >>> build.sentence(["Ann", "_", "left"], empty=[False, True, False])
    >>> number = build.mention("a", [(0, 2)]), build.mention("a", [(1, 2)])
    >>> without_empty_nodes(build.finish())[0].clusters()
    [[(0, 1)]]
    """
    tokens = corpus.tokens
    if tokens.empty is None or not tokens.empty.any():
        return corpus
    written = np.flatnonzero(~tokens.empty)
    written_before = np.concatenate(([0], np.cumsum(~tokens.empty))).astype(np.int64)
    sentences = written_before[tokens.sentences]
    # A sentence that consists of empty nodes disappears.
    lasting = np.diff(sentences, append=len(written)) > 0
    changed = replace(
        tokens,
        offsets=written_before[tokens.offsets],
        sentences=sentences[lasting],
        words=tokens.words.take(written) if tokens.words is not None else None,
        empty=None,
        begin=tokens.begin[written] if tokens.begin is not None else None,
        finish=tokens.finish[written] if tokens.finish is not None else None,
        columns={name: column.take(written) for name, column in tokens.columns.items()},
    )
    mentions = corpus.mentions
    old_start, new_start = tokens.offsets[mentions.document], changed.offsets[mentions.document]
    start = (written_before[old_start + mentions.start] - new_start).astype(np.int32)
    end = (written_before[old_start + mentions.end] - new_start).astype(np.int32)
    moved = replace(mentions, start=start, end=end, head=None, parts=None, minimum=None)
    return keep_mentions(replace(corpus, tokens=changed, mentions=moved), end > start)


def filter_corpus(corpus: Corpus) -> tuple[Corpus, DroppedCounts]:
    """Keep the mentions and links of the exercise; return the corpus and what was dropped.

    Kept are links of identity, synonymy, generalisation and specialisation between noun phrases, of
    which the annotators were sure (Orăsan et al. 2008, section 3.2). An attribute of mentions is
    about links if all its values are in ``LINK_WORDS``; a corpus without such attributes keeps all
    links.

    Corpora annotate which mentions corefer, rarely which link joined them, so a mention whose link
    is dropped leaves its chain. The first mention of a chain has no link to drop.
    """
    keep = _is_noun_phrase(corpus)
    if corpus.mentions.referring is not None:
        keep &= corpus.mentions.referring
    kept = keep_mentions(corpus, keep)
    leaving = find_dropped_links(kept)
    leaving &= ~_is_first_of_chain(kept)
    dropped = DroppedCounts(links=int(leaving.sum()), mentions=int((~keep).sum()))
    return _regroup(kept, leaving), dropped


def find_dropped_links(corpus: Corpus) -> Flags:
    """Flag the mentions with an attribute that marks their link as not kept."""
    is_dropped = np.zeros(len(corpus.mentions), np.bool_)
    for column in corpus.mentions.columns.values():
        words = [" ".join(value.upper().replace("_", " ").split()) for value in column]
        values = {word for word in words if word}
        # "other" is a value of many attributes that have nothing to do with links.
        if values - {"OTHER"} and values <= LINK_WORDS.keys():
            is_dropped |= np.array([bool(word) and not LINK_WORDS[word] for word in words], np.bool_)
    return is_dropped


def _is_noun_phrase(corpus: Corpus) -> Flags:
    """Flag the mentions that are not known to be verbs or events."""
    mentions, tokens = corpus.mentions, corpus.tokens
    keep = np.ones(len(mentions), np.bool_)
    if "kind" in mentions.columns:
        keep &= np.array([kind != "event" for kind in mentions.columns["kind"]], np.bool_)
    # Without annotated heads, only one-word mentions have a known head.
    head = np.where(mentions.end - mentions.start == 1, mentions.start, -1)
    if mentions.head is not None:
        head = np.where(mentions.head >= 0, mentions.head, head)
    head_tokens = (tokens.offsets[mentions.document] + head).tolist()
    for name in _TAGS:
        if name in tokens.columns:
            tags = tokens.columns[name]
            verbal = [
                head_in_document >= 0 and tags[token].startswith(_VERBAL)
                for head_in_document, token in zip(head.tolist(), head_tokens, strict=True)
            ]
            keep &= ~np.array(verbal, np.bool_)
            break
    return keep


def _is_first_of_chain(corpus: Corpus) -> Flags:
    first = np.zeros(len(corpus.mentions), np.bool_)
    first[np.unique(corpus.mentions.chain, return_index=True)[1]] = True
    return first


def _regroup(corpus: Corpus, leaving: Flags) -> Corpus:
    """Make the leaving mentions singletons, and number chains by first appearance again."""
    group: Longs = corpus.mentions.chain.astype(np.int64)
    group[leaving] = len(corpus.chains) + np.arange(int(leaving.sum()))
    opening, number = number_by_appearance(group)
    names = [
        f"{corpus.chains.label(int(corpus.mentions.chain[m]))}{'-' + str(m) if leaving[m] else ''}"
        for m in opening.tolist()
    ]
    return replace(
        corpus,
        mentions=replace(corpus.mentions, chain=number),
        chains=Chains(document=corpus.mentions.document[opening], labels=label_array(names)),
        relations=Relations.none(),
    )
