"""GAP's examples as documents, all at once."""

import numpy as np

from corefbench.formats.segments import starts_of
from corefbench.formats.text_documents import add_documents
from corefbench.formats.tokenise import segment_texts
from corefbench.model.builder import CorpusBuilder
from corefbench.record import Flags, Longs

ROLES = (("pronoun", 2, 3), ("A", 4, 5), ("B", 7, 8))
"""The mentions of an example, each with the columns of its words and of its offset."""
TRUTH = {"TRUE": True, "FALSE": False}

_GENDER = {"he": "masculine", "him": "masculine", "his": "masculine"} | {
    "she": "feminine", "her": "feminine", "hers": "feminine"
}  # fmt: skip


def add_examples(build: CorpusBuilder, examples: list[list[str]], begin: Longs) -> None:
    """Make documents of all examples at once, given where their words begin in their texts."""
    texts = [cells[1] for cells in examples]
    lengths = [len(cells[word]) for cells in examples for _, word, _ in ROLES]
    begin = begin + starts_of(texts)[:, None]
    end = begin + np.array(lengths, np.int64).reshape(begin.shape)
    edges = np.concatenate((begin, end), axis=None)
    tokens = segment_texts(texts, edges, tokenised=False, lines=False)
    columns = {
        "url": [cells[10] if len(cells) > 10 else "" for cells in examples],
        "gender": [_GENDER.get(cells[2].lower(), "") for cells in examples],
    }
    names = [cells[0] for cells in examples]
    add_documents(build, names, texts, tokens, columns=columns)
    same = [truth for cells in examples for truth in (True, _truth(cells[6]), _truth(cells[9]))]
    start, past = np.searchsorted(tokens.begin, begin), np.searchsorted(tokens.begin, end)
    first = tokens.offsets[:-1, None]
    _add_mentions(build, start - first, past - first, np.array(same).reshape(begin.shape))


def _add_mentions(build: CorpusBuilder, start: Longs, end: Longs, same: Flags) -> None:
    """Three mentions a document, those that mean the same in one chain, called the pronoun's."""
    role = np.tile(np.arange(len(ROLES)), len(start))
    document = np.repeat(np.arange(len(start)), len(ROLES))
    order = np.lexsort((role, end.ravel(), start.ravel(), document))
    role = role[order]
    name = np.where(same.ravel()[order], 0, role)
    # Chains are numbered as their mentions come.
    _, at, chain = np.unique(document * len(ROLES) + name, return_index=True, return_inverse=True)
    number = np.argsort(np.argsort(at))
    at.sort()
    labels = [ROLES[which][0] for which in name[at].tolist()]
    build.add_chains(labels, document[at].astype(np.int32))
    build.add_mentions(
        start.ravel()[order],
        end.ravel()[order],
        number[chain],
        document=document.astype(np.int32),
        full={"role": [ROLES[which][0] for which in role.tolist()]},
    )


def _truth(cell: str) -> bool:
    return TRUTH[cell.strip().upper()]
