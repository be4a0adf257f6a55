"""Documents and entities listed beside the text."""

from collections import defaultdict
from heapq import nsmallest
from weakref import WeakKeyDictionary

from corefbench.errors import UnknownName, UsageError
from corefbench.records import Record
from corefbench.runs import Run
from corefbench.workbench.reading.mentions import Mentions, list_mentions
from corefbench.workbench.reading.text import DocumentText


class DocumentEntry(Record, frozen=True):
    """A document in the list."""

    number: int
    label: str
    mentions: int
    """Mentions of the key."""
    errors: int
    pronoun_errors: int
    """Errors that are third-person pronouns."""


_ENTRIES: "WeakKeyDictionary[Run, dict[str, tuple[DocumentEntry, ...]]]" = WeakKeyDictionary()


def list_documents(run: Run, response: str) -> tuple[DocumentEntry, ...]:
    """Return all documents with the errors of one response; counted once per open run."""
    entries = _ENTRIES.setdefault(run, {})
    if response not in entries:
        entries[response] = tuple(
            document_entry(number, label, list_mentions(run.document(number), response))
            for number, label in enumerate(run.documents)
        )
    return entries[response]


def document_entry(number: int, label: str, document_mentions: Mentions) -> DocumentEntry:
    """Return the entry of a document."""
    return DocumentEntry(
        number=number,
        label=label,
        mentions=sum(key >= 0 for key in document_mentions.key),
        errors=len(document_mentions.errors()),
        pronoun_errors=len(document_mentions.errors(pronouns=True)),
    )


def document_number(run: Run, name: str) -> int:
    """Return the number of a document by its number or label."""
    if name in run.documents:
        return run.documents.index(name)
    if not (name.isdecimal() and name.isascii()):
        raise UnknownName("document", name, list(run.documents))
    number = int(name)
    if number >= len(run.documents):
        expected = f"0 to {len(run.documents) - 1}" if run.documents else "a run with documents"
        raise UsageError(f"there is no document {number} in this run", expected=expected)
    return number


def choose_response(run: Run, name: str | None) -> str:
    """Return the response of a URL, or the first one."""
    names = [result.name for result in run.header.results]
    if name is None and names:
        return names[0]
    if name not in names:
        raise UnknownName("response", name or "", names)
    return name


class Entity(Record, frozen=True):
    """A chain in the list."""

    name: str
    """Its first mention that is not a pronoun."""
    side: str
    """``key`` or ``response``."""
    chain: int
    size: int
    errors: int
    first: int
    """The number of its first mention."""


def list_entities(text: DocumentText, mentions: Mentions, limit: int) -> tuple[tuple[Entity, ...], int]:
    """Return the largest chains of the key or only of the response, and the number of all."""
    key: dict[int, list[int]] = defaultdict(list)
    response: dict[int, list[int]] = defaultdict(list)
    answered = set()
    for mention, (key_chain, response_chain) in enumerate(zip(mentions.key, mentions.response, strict=True)):
        if key_chain >= 0:
            key[key_chain].append(mention)
            answered.add(response_chain)
        elif response_chain >= 0:
            response[response_chain].append(mention)
    rows = [("key", chain, members) for chain, members in key.items()]
    rows += [("response", n, members) for n, members in response.items() if n not in answered]
    largest = nsmallest(limit, rows, key=lambda row: (-len(row[2]), row[2][0]))
    return tuple(_make_entity(text, mentions, *row) for row in largest), len(rows)


def _make_entity(text: DocumentText, mentions: Mentions, side: str, chain: int, members: list[int]) -> Entity:
    lead = next((mention for mention in members if not mentions.pronoun[mention]), members[0])
    return Entity(
        name=text.excerpt(mentions.start[lead], mentions.end[lead]),
        side=side,
        chain=chain,
        size=len(members),
        errors=sum(map(mentions.is_error, members)),
        first=members[0],
    )
