"""Whether what a run file says of a document fits together."""

from collections.abc import Sequence

from corefbench.errors import FormatError, Place
from corefbench.runs.schema import Layer, RunDocument


def check_document(document: RunDocument) -> None:
    """Refuse a document that contradicts itself; its layers have all their tokens."""
    for layer in (document.key, *document.responses.values()):
        if layer is not None:
            _check(layer)
    asked = len(document.key.mentions.start) if document.key is not None else 0
    for name, matched in document.matched.items():
        layer = document.responses.get(name)
        answered = len(layer.mentions.start) if layer is not None else -1
        if (
            len(matched.twins) != answered
            or not _within(matched.twins, asked, least=-1)
            or not _within(matched.uncounted, answered)
            or not _within(matched.uncounted_key, asked)
        ):
            raise broken(document.label, f"twins of {name} that are not there")


def _check(layer: Layer) -> None:
    """Refuse lists that are out of step and numbers that lead nowhere."""
    tokens, marked = layer.tokens, layer.mentions
    count, mentions, chains = tokens.count, len(marked.start), len(layer.chains)
    of_tokens = (tokens.words, tokens.begin, tokens.finish, *tokens.columns.values())
    of_mentions = (
        *(marked.end, marked.chain, marked.head, marked.parts, marked.minimum, marked.referring),
        *marked.columns.values(),
    )
    edges = list(zip(marked.start, marked.end, strict=False))
    edges += [span for some in (marked.parts, marked.minimum) for m in some or () for span in m]
    checks = {
        "a column of tokens of another length": all(
            column is None or len(column) == count for column in of_tokens
        ),
        "a column of mentions of another length": all(
            column is None or len(column) == mentions for column in of_mentions
        ),
        "a span outside the document": 0 <= count < 1 << 31
        and all(0 <= start < end <= count for start, end in edges),
        "a token outside the document": _within(tokens.sentences, count + 1)
        and _within(tokens.empty or (), count)
        and _within(marked.head or (), count, least=-1),
        "a chain that is not there": _within(marked.chain, chains)
        and _within([chain for pair in layer.split for chain in pair], chains)
        and _within([bridge.chain for bridge in layer.bridging], chains, least=-1),
        "a mention that is not there": _within([b.anaphor for b in layer.bridging], mentions)
        and _within([bridge.mention for bridge in layer.bridging], mentions, least=-1),
        "a mention without parts": marked.parts is None or all(marked.parts),
        "a number that is no hash": tokens.digest is None or 0 <= tokens.digest < 1 << 64,
    }
    for found, right in checks.items():
        if not right:
            raise broken(layer.name, found)


def _within(numbers: Sequence[int], end: int, *, least: int = 0) -> bool:
    return not numbers or (min(numbers) >= least and max(numbers) < end)


def broken(document: str, found: str) -> FormatError:
    """The error for a run file that contradicts itself."""
    return FormatError(
        "the run file contradicts itself",
        code="CB246",
        place=Place(document=document),
        found=found,
        remedy="make the run again",
    )
