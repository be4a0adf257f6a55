"""Errors as links of spanning trees: recall and precision errors (Martschat & Strube 2014).

A key chain falls into pieces by the chains of the response; a mention that the response lacks is a
piece of its own. A spanning tree of the chain gives every mention but the first an antecedent: the
closest in its own piece where there is one. Of the first mention of every further piece the
antecedent lies in another piece, and that link is a *recall error*. With key and response
exchanged, such links are *precision errors*. So

    recall errors = Σₖ (pieces of k − 1),   MUC recall = 1 − recall errors ÷ Σₖ (|k| − 1)

The ``antecedent`` of an error is chosen by a strategy:

    closest   the closest earlier mention of the chain
    type      for names, nominals and events the closest name, else the closest nominal, else the
              closest; for pronouns the closest (their *accessibility*, after Ariel 1988)
"""

from typing import Literal, TypeAlias

from corefbench.analysis.errors.error import Error
from corefbench.analysis.errors.pair import Pair, SideName
from corefbench.analysis.errors.side import Side

Antecedents: TypeAlias = Literal["closest", "type"]
ANTECEDENTS: tuple[Antecedents, ...] = ("closest", "type")


def link_errors(pair: Pair, antecedents: Antecedents = "closest") -> list[Error]:
    """The recall errors of the key's chains, then the precision errors of the response's."""
    return [
        *_broken(pair, "key", antecedents),
        *_broken(pair, "response", antecedents),
    ]


def _broken(pair: Pair, name: SideName, antecedents: Antecedents) -> list[Error]:
    side = pair.side(name)
    other = pair.response if name == "key" else pair.key
    twins = pair.twin_of_key if name == "key" else pair.twin_of_response
    errors = []
    for members in side.members:
        pieces: set[int] = set()
        for place, mention in enumerate(members):
            twin = twins[mention]
            piece = other.chain[twin] if twin >= 0 else -1
            if place and (piece < 0 or piece not in pieces):
                antecedent = _antecedent(side, mention, members[:place], antecedents)
                errors.append(_link(pair, name, mention, antecedent))
            pieces.add(piece)
    return errors


def _antecedent(side: Side, mention: int, earlier: list[int], antecedents: Antecedents) -> int:
    """The antecedent that the strategy chooses."""
    if antecedents == "closest" or side.is_pronoun(mention):
        return earlier[-1]
    types = side.kinds.type
    for wanted in ("name", "nominal"):
        for candidate in reversed(earlier):
            if types[candidate] == wanted:
                return candidate
    return earlier[-1]


def _link(pair: Pair, name: SideName, mention: int, antecedent: int) -> Error:
    if name == "key":
        return Error(
            pair=pair,
            taxonomy="links",
            kind="recall-error",
            side="key",
            mention=mention,
            key=antecedent,
        )
    return Error(
        pair=pair,
        taxonomy="links",
        kind="precision-error",
        side="response",
        mention=mention,
        response=antecedent,
    )
