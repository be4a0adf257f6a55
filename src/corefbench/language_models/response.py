"""From recorded answers to a response: the words of the source with the model's chains."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from corefbench.errors import DataError
from corefbench.findings import Finding, Strictness
from corefbench.formats.source import Source
from corefbench.language_models.account import Account
from corefbench.language_models.answers import Answer, read_answers_file, read_ids
from corefbench.language_models.heads import head_column
from corefbench.language_models.passage import Labelled, passage_of
from corefbench.language_models.prompt import digest
from corefbench.language_models.sheets import Sheet, Sheets
from corefbench.model.corpus import Chains, Corpus, Mentions, Relations
from corefbench.record import Columns

Where = str | Path | bytes


class Response(Columns, frozen=True, eq=False):
    """What the model answered, as a corpus, and what of it was not usable."""

    corpus: Corpus
    account: Account


def read_answers(
    corpus: Corpus,
    answers: Where,
    *,
    prompts: Where | None = None,
    strictness: Strictness = Strictness(),
) -> Response:
    """Read answers back onto the corpus that the prompts were made from.

    Every document of the corpus is in the response; one without answers has no mentions, and so
    counts as missed when it is scored. ``prompts`` tells which answers are missing.

    >>> from corefbench.formats.load import load
    >>> ann = load(b"[Ann]1 fed [[her]1 cat]2.", format="inline")
    >>> line = b'{"id": "memory-m0-5-d5e1beee", "answer": "[Ann](#1) fed [her](#1) cat."}'
    >>> read_answers(ann, line).corpus[0].clusters()
    [[(0, 1), (2, 3)]]
    """
    given, repeated, unread = _given(answers, strictness)
    asked = read_ids(prompts, strictness) if prompts is not None else []
    sheets = Sheets(given, asked)
    rows: list[list[Labelled]] = []
    made: list[Sheet] = []
    for document in corpus:
        passage = passage_of(document)
        sheet = sheets.document(passage)
        numbers = passage.tokens
        rows.append([(numbers[a], numbers[b - 1] + 1, c) for a, b, c in sheet.merged.mentions])
        made.append(sheet)
    if given and len(sheets.unmet) == len(given):
        raise DataError(
            "none of the answers is to a prompt of this corpus",
            code="CB128",
            found=f"the id {next(iter(given))!r}",
            expected="ids as `corefbench prompts` makes them from the corpus as it is",
            remedy="give the corpus that the prompts were made from, unchanged",
        )
    account = Account(
        replies=tuple(reply for sheet in made for reply in sheet.replies),
        documents=len(made),
        silent=tuple(sheet.label for sheet in made if not sheet.merged.mentions),
        words=sum(sheet.words for sheet in made),
        uncovered=sum(sheet.uncovered for sheet in made),
        unknown=tuple(sheets.unmet),
        repeated=repeated,
        unread=unread,
        joined=sum(sheet.merged.joined for sheet in made),
        refused=sum(sheet.merged.refused for sheet in made),
        prompts=digest([_bytes(prompts)]) if prompts is not None else "",
    )
    return Response(corpus=with_chains(corpus, rows), account=account)


def _given(answers: Where, strictness: Strictness) -> tuple[dict[str, Answer], int, int]:
    """The last answer to every prompt, how many it replaced, and how many lines are no answer."""
    unread: list[Finding] = []

    def hear(finding: Finding) -> None:
        unread.append(finding)
        strictness.report(finding)

    tolerant = Strictness(lenient=strictness.lenient, report=hear)
    found = list(read_answers_file(answers, tolerant))
    given = {answer.id: answer for answer in found}
    return given, len(found) - len(given), len(unread)


def _bytes(where: Where) -> bytes:
    with Source.of(where).open() as stream:
        return stream.read()


def with_chains(corpus: Corpus, rows: Sequence[Sequence[Labelled]]) -> Corpus:
    """The corpus with other mentions: for every document start, end and label of each.

    Chains are numbered over the corpus: equal labels in two documents would be one entity, and no
    answer speaks of two documents.
    """
    chains: dict[tuple[int, str], int] = {}
    table = [
        (document, start, end, chains.setdefault((document, label), len(chains)))
        for document, mentions in enumerate(rows)
        for start, end, label in mentions
    ]
    columns = np.array(table, np.int32).reshape(-1, 4).T
    document, start, end, chain = (np.ascontiguousarray(column) for column in columns)
    heads = head_column(corpus, [row[:3] for row in table])
    return Corpus(
        name="response",
        documents=corpus.documents,
        tokens=corpus.tokens,
        mentions=Mentions(
            document=document,
            start=start,
            end=end,
            chain=chain,
            head=None if heads is None else np.array(heads, np.int32),
        ),
        chains=Chains(
            document=np.array([number for number, _ in chains], np.int32),
            labels=np.arange(1, len(chains) + 1, dtype=np.int64),
        ),
        relations=Relations.none(),
    )
