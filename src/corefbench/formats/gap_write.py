"""Writing GAP: examples with eleven columns, or answers with three."""

from collections.abc import Iterator

from corefbench.formats.layout import lay_out
from corefbench.formats.tokenise import tokenise
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document
from corefbench.model.mention import Mention

COLUMNS = (
    "ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset",
    "B-coref", "URL",
)  # fmt: skip
ROLES = ("pronoun", "A", "B")


def example_lines(corpus: Corpus) -> Iterator[str]:
    """The header and an example for every document that has the three roles."""
    yield "\t".join(COLUMNS) + "\n"
    for document in corpus:
        roles = _roles(document)
        if roles is None:
            continue
        spans = [(mention.start, mention.end) for mention in map(roles.__getitem__, ROLES)]
        text, offsets = lay_out(document, tokenise, spans=spans)
        text = "".join(" " if character in "\t\n\r" else character for character in text)
        urls = corpus.documents.columns.get("url")
        row = [document.label, text]
        for role in ROLES:
            mention = roles[role]
            start, end = offsets[mention.start][0], offsets[mention.end - 1][1]
            row += [text[start:end], str(start)]
            if role != "pronoun":
                row.append(_corefers(roles, role))
        row.append(urls[document.index] if urls is not None else "")
        yield "\t".join(row) + "\n"


def answer_lines(corpus: Corpus) -> Iterator[str]:
    """For every document that has the three roles, whether each name is what the pronoun means."""
    for document in corpus:
        roles = _roles(document)
        if roles is not None:
            yield f"{document.label}\t{_corefers(roles, 'A')}\t{_corefers(roles, 'B')}\n"


def _roles(document: Document) -> dict[str, Mention] | None:
    column = document.corpus.mentions.columns.get("role")
    if column is None:
        return None
    roles = {column[mention.index]: mention for mention in reversed(document.mentions)}
    return roles if set(ROLES) <= roles.keys() else None


def _corefers(roles: dict[str, Mention], role: str) -> str:
    return "TRUE" if roles[role].chain.index == roles["pronoun"].chain.index else "FALSE"
