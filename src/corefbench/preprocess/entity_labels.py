"""The entity types of different pipelines under one set of names, those of GUM."""

_NAMES = {
    "per": "person", "gpe": "place", "loc": "place", "location": "place", "fac": "place",
    "org": "organization", "norp": "group", "date": "time", "product": "object", "misc": "",
    "work_of_art": "abstract", "law": "abstract", "language": "abstract", "money": "quantity",
    "percent": "quantity", "cardinal": "quantity", "ordinal": "quantity",
}  # fmt: skip


def entity_type(label: str) -> str:
    """The name of a type, in lower case; unknown ones as they are.

    >>> entity_type("PERSON"), entity_type("GPE"), entity_type("animal")
    ('person', 'place', 'animal')
    """
    label = label.lower()
    return _NAMES.get(label, label)
