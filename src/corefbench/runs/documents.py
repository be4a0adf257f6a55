"""Key and responses laid side by side, document by document."""

from collections.abc import Mapping

from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.record import Record
from corefbench.runs.layers import layer_of
from corefbench.runs.matching import by_document, match
from corefbench.runs.schema import Layer, RunDocument, Twinned


class Gathered(Record, frozen=True):
    """All documents: those of the key first, in its order, then those that only responses have."""

    documents: tuple[RunDocument, ...]
    order: tuple[int, ...]
    """The documents of the key …"""
    orders: dict[str, tuple[int, ...]]
    """… and of each response, in the order in which it has them."""


def gather(key: Corpus, responses: Mapping[str, Corpus], profile: Profile) -> Gathered:
    """Every document with the layers of key and responses, and the twins of their mentions."""
    keys = [layer_of(key, index) for index in range(len(key))]
    labels = list(key.documents.labels())
    known = {label: number for number, label in enumerate(labels)}
    layers: list[dict[str, Layer]] = [{} for _ in labels]
    twins: list[dict[str, Twinned]] = [{} for _ in labels]
    orders: dict[str, tuple[int, ...]] = {}
    for name, response in responses.items():
        matched = match(key, response, profile)
        for place, twinned in by_document(key, response, matched):
            twins[place][name] = twinned
        order = []
        for index, label in enumerate(response.documents.labels()):
            number = matched.document.get(index)
            if number is None:
                number = known.setdefault(label, len(labels))
                if number == len(labels):
                    labels.append(label)
                    layers.append({})
                    twins.append({})
            asked = key[number] if number < len(keys) else None
            layers[number][name] = layer_of(response, index, asked)
            order.append(number)
        orders[name] = tuple(order)
    return Gathered(
        documents=tuple(
            RunDocument(
                label=label,
                key=keys[number] if number < len(keys) else None,
                responses=layers[number],
                matched=twins[number],
            )
            for number, label in enumerate(labels)
        ),
        order=tuple(range(len(keys))),
        orders=orders,
    )
