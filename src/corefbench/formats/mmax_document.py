"""One MMAX2 document: words, sentences, and the mentions of a level."""

import itertools
import re
from collections.abc import Mapping

from corefbench.errors import FormatError
from corefbench.formats import xml
from corefbench.formats.base import Reading
from corefbench.formats.mmax_markables import local_name, read_markables
from corefbench.formats.mmax_mentions import Mentions
from corefbench.formats.mmax_project import Level, Project
from corefbench.formats.mmax_scheme import roles
from corefbench.formats.source import Source
from corefbench.model.builder import CorpusBuilder, Span

_SENTENCES = re.compile(r"s|sent(?:ence)?s?|utterances?|segments?", re.IGNORECASE)


def add_document(
    build: CorpusBuilder, project: Project, level: Level | None, reading: Reading
) -> None:
    """Append the words, and the mentions and chains of the level."""
    build.begin_document(project.name)
    words, positions, columns = _words(project, reading)
    spans = _sentences(project, positions, len(words), reading)
    for start, end in spans:
        some = {key: values[start:end] for key, values in columns.items()}
        build.sentence(words[start:end], columns=some or None)
    if level is not None:
        found = read_markables(level, positions, project.name, reading)
        # In order of appearance, by which chains are numbered.
        markables = sorted(found, key=lambda m: (m.parts[0][0], -m.parts[-1][1]))
        meaning = roles(level, [m.values for m in markables], reading)
        Mentions(build, markables, meaning, level.name, positions, reading).add()


def _words(
    project: Project, reading: Reading
) -> tuple[list[str], dict[str, int], dict[str, list[str]]]:
    """The words, where each identifier stands, and the further attributes of words."""
    source = Source.of(project.words)
    root = xml.read(source, reading, allow_doctype=True)
    elements = [element for element in root if local_name(element) == "word"]
    if local_name(root) != "words":
        raise FormatError(
            "the file is not a words file",
            code="CB132",
            place=xml.place(root, source.name, project.name),
            found=f"<{local_name(root)}>",
            expected="<words><word id=…>",
        )
    positions: dict[str, int] = {}
    for number, element in enumerate(elements):
        word_id = element.get("id", "")
        if not word_id or word_id in positions:
            raise FormatError(
                "a word's id occurs twice" if word_id else "a word has no id",
                code="CB126" if word_id else "CB125",
                place=xml.place(element, source.name, project.name),
                found=word_id,
            )
        positions[word_id] = number
    keys = dict.fromkeys(key for element in elements for key in element.attrib if key != "id")
    columns = {key: [element.get(key, "") for element in elements] for key in keys}
    return [(element.text or "").strip() for element in elements], positions, columns


def _sentences(
    project: Project, positions: Mapping[str, int], count: int, reading: Reading
) -> list[Span]:
    """The spans of the sentence level; words outside it are sentences too."""
    edges = {0, count}
    level = next((level for level in project.levels if _SENTENCES.fullmatch(level.name)), None)
    if level is not None:
        for markable in read_markables(level, positions, project.name, reading):
            edges |= {edge for part in markable.parts for edge in part}
    return list(itertools.pairwise(sorted(edges)))
