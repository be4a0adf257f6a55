"""The classes that the network tells apart, as they occur in the training texts."""

from collections import Counter
from collections.abc import Iterable

from corefbench.preprocess.lemma_scripts import script_of
from recipes.english import entities
from recipes.english.conllu import Paragraph, Word

TASKS = ("upos", "xpos", "features", "lemma", "entity")
RAREST = {"features": 2, "lemma": 3}
"""How often a class must occur; words of rarer ones do not train the task."""
UNKNOWN = -100


def classes(paragraphs: Iterable[Paragraph]) -> dict[str, list[str]]:
    """For every task its classes, the most frequent first."""
    counts: dict[str, Counter[str]] = {task: Counter() for task in (*TASKS, "relation")}
    for paragraph in paragraphs:
        for sentence in paragraph.sentences:
            for task, values in columns(sentence, typed=True).items():
                counts[task].update(values)
    return {
        task: [
            value
            for value, count in sorted(counter.items(), key=lambda row: (-row[1], row[0]))
            if count >= RAREST.get(task, 1)
        ]
        for task, counter in counts.items()
    }


def columns(sentence: list[Word], *, typed: bool) -> dict[str, list[str]]:
    """The right class of every word for every task; none for entities that are not annotated."""
    return {
        "upos": [word.upos for word in sentence],
        "xpos": [word.xpos for word in sentence],
        "features": ["" if word.feats == "_" else word.feats for word in sentence],
        "lemma": [
            script_of(word.form, word.form if word.lemma == "_" else word.lemma)
            for word in sentence
        ],
        "entity": entities.tags(sentence) if typed else ["?"] * len(sentence),
        "relation": [word.relation for word in sentence],
    }


def has_entities(paragraph: Paragraph) -> bool:
    """Whether a paragraph is of GUM: EWT has no entities, which says nothing about its words."""
    return paragraph.document.startswith(("GUM_", "GENTLE_"))
