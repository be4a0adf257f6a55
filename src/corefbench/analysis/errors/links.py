"""Errors as links of spanning trees: recall and precision errors (Martschat & Strube 2014).

The chains of the response divide a key chain into pieces; a mention that the response lacks is a
piece of its own. A spanning tree of the chain gives every mention but the first an antecedent: the
closest one in its own piece, if any. The first mention of every further piece has its antecedent in
another piece, and that link is a *recall error*. With key and response exchanged, such links are
*precision errors*. So

    recall errors = Σₖ (pieces of k − 1),   MUC recall = 1 − recall errors ÷ Σₖ (|k| − 1)

The ``antecedent`` of an error is chosen by a strategy:

    closest   the closest earlier mention of the chain
    type      for names, nominals and events the closest name, else the closest nominal, else the
              closest; for pronouns the closest (their *accessibility*, after Ariel 1988)
"""

from typing import Literal, TypeAlias

from corefbench.analysis.errors.pair import Pair, Side, SideName
from corefbench.analysis.errors.taxonomy import Error

Antecedents: TypeAlias = Literal["closest", "type"]
ANTECEDENTS: tuple[Antecedents, ...] = ("closest", "type")


def find_link_errors(pair: Pair, antecedents: Antecedents = "closest") -> list[Error]:
    """Return the recall errors of the key's chains, then the precision errors of the response's."""
    key = _broken_links(pair, "key", antecedents)
    return [*key, *_broken_links(pair, "response", antecedents)]


def _broken_links(pair: Pair, name: SideName, antecedents: Antecedents) -> list[Error]:
    side = pair.side(name)
    other = pair.response if name == "key" else pair.key
    twins = pair.twin_of_key if name == "key" else pair.twin_of_response
    errors = []
    for members in side.members:
        pieces: set[int] = set()
        for position, mention in enumerate(members):
            twin = twins[mention]
            piece = other.chain[twin] if twin >= 0 else -1
            if position and (piece < 0 or piece not in pieces):
                antecedent = _choose_antecedent(side, mention, members[:position], antecedents)
                errors.append(
                    Error(
                        pair=pair,
                        taxonomy="links",
                        kind="recall-error" if name == "key" else "precision-error",
                        side=name,
                        mention=mention,
                        key=antecedent if name == "key" else -1,
                        response=antecedent if name == "response" else -1,
                    )
                )
            pieces.add(piece)
    return errors


def _choose_antecedent(side: Side, mention: int, earlier: list[int], antecedents: Antecedents) -> int:
    """Choose an antecedent by the strategy."""
    if antecedents == "closest" or side.is_pronoun(mention):
        return earlier[-1]
    types = side.kinds.type
    for preferred in ("name", "nominal"):
        for candidate in reversed(earlier):
            if types[candidate] == preferred:
                return candidate
    return earlier[-1]
