"""The Anaphora Resolution Exercise: the inputs of its four tasks and the answers to them.

Tasks 1 and 2 mark entities in paragraphs, ``<p>… <entity id="5">Israel</entity> …</p>``; task 1
lists the pronouns to resolve, ``<anaphoric_pronouns><pronoun id="6" value="it"/>…``. Tasks 3 and 4
number the words, ``<node id="26"/>Japan<node id="27"/>and``, and a span runs from the node of its
first word to that of its last (Orăsan et al. 2008, section 3.2).

The paper does not print answers. Here they are: task 1 ``<pronoun id="6" antecedent="5"/>``, task 2
``<chain><entity id="5"/>…</chain>``, task 3 ``<pronoun node="40"><entity start="26" end="28"/>
</pronoun>``, task 4 ``<chain><entity start="26" end="28"/>…</chain>``. A file may have the input,
the answers, or both; documents are ``<document id="…">`` in a root ``<are task="…">``, or the file.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from corefbench.errors import UsageError
from corefbench.formats.are_read import Answers, add_document, answers_of
from corefbench.formats.are_text import (
    Fault,
    Text,
    listed_in,
    text_of,
    text_of_answers,
    text_of_input,
)
from corefbench.formats.are_write import file_text
from corefbench.formats.base import Feature, FormatCard, Reading
from corefbench.formats.nesting import needs_words
from corefbench.formats.source import Source
from corefbench.formats.whole import contents
from corefbench.formats.xml import Element, parse, place
from corefbench.model.assemble import concatenate
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

Kind: TypeAlias = Literal["whole", "input", "answers"]

_PLAIN: frozenset[Feature] = frozenset(
    {"document names", "document attributes", "words", "sentences"}
)
_ENTITIES: frozenset[Feature] = _PLAIN | {"singletons", "repeated mentions"}
HOLDS: dict[int, frozenset[Feature]] = {
    1: _ENTITIES,
    2: _ENTITIES | {"chain labels"},
    3: _PLAIN | {"crossing mentions", "mentions across sentences"},
    4: _ENTITIES
    | {
        "chain labels",
        "crossing mentions",
        "crossing mentions of one chain",
        "mentions across sentences",
    },
}
"""What survives by task. Tasks 1 and 3 hold no more of a chain than the links of its pronouns."""

_TITLES = {
    0: "input or answers of any task",
    1: "pronouns among given entities",
    2: "chains of given entities",
    3: "pronouns in raw text",
    4: "chains in raw text",
}
_SURE = re.compile(rb"<are[\s>]|<anaphoric_pronouns[\s>]")
_LIKELY = re.compile(rb"<(?:pronoun\s+(?:id|node)|node\s+id|entity\s+(?:id|start))\s*=")
_NO_ROOT = re.compile(rb"\s*(<\?xml.*?\?>)?\s*<(?:p|pronoun|chain|anaphoric_pronouns)[\s>]")


class ARE:
    """Reads inputs and answers of any task, and writes those of one (task 4 unless told).

    Answers alone have no words: ``input`` is the corpus read from the input, or its file, and a
    document is found in it by its name; without it each entity, or each node, stands for a word.
    Mentions keep ``id``; a pronoun to be resolved has ``anaphoric`` = yes, and ``antecedent`` if
    it was answered (an id, or ``start..end``). ``kind`` chooses what is written.

    >>> sample = b'<p><entity id="1">Ann</entity> saw <entity id="2">her</entity> dog</p>'
    >>> answer = b'<pronoun id="2" antecedent="1"/>'
    >>> list(ARE().read(Source.of(b"<are>" + sample + answer + b"</are>"), Reading()))
    [<Corpus 'memory': 1 documents, 4 tokens, 2 mentions, 1 chains>]
    """

    def __init__(
        self, task: int | str = 0, kind: Kind = "whole", input: Corpus | str | Path | None = None
    ) -> None:
        task = int(task) if str(task) in ("0", "1", "2", "3", "4") else -1
        if task not in _TITLES or kind not in ("whole", "input", "answers"):
            raise UsageError(
                "there is no such task or kind",
                remedy="tasks are 1 to 4; kinds are whole, input and answers",
            )
        self.task, self.kind = task, kind
        self.input = _companion(input) if isinstance(input, str | Path) else input
        labels = self.input.documents.labels() if self.input is not None else ()
        self.documents = {label: number for number, label in enumerate(labels)}
        self.card = FormatCard(
            name=f"are-{task}" if task else "are",
            title=f"ARE task {task}" if task else "ARE",
            description=f"The Anaphora Resolution Exercise: {_TITLES[task]}.",
            extensions=(".xml",),
            holds=HOLDS[task or 4],
            selects=task in (1, 3),
            cites=("orasan2008",),
        )

    def recognises(self, head: bytes) -> float:
        """Sure of its root and of the list of pronouns. The tasks by name are never guessed."""
        if self.task:
            return 0.0
        if _SURE.search(head):
            return 0.95
        return 0.7 if _LIKELY.search(head) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        content = contents(source, reading)
        if bare := _NO_ROOT.match(content.removeprefix(b"\xef\xbb\xbf")):
            # The paper's samples have no root.
            head = bare[1] or b""
            content = head + b"<are>" + content.removeprefix(b"\xef\xbb\xbf").lstrip()[len(head) :]
            content += b"</are>"
        root = parse(content, source.name)
        build = CorpusBuilder(source.stem, words=reading.words, columns=("node",))
        for element in list(root.iter("document")) or [root]:
            self._add(build, element, source, reading)
        yield build.finish()

    def _add(
        self, build: CorpusBuilder, element: Element, source: Source, reading: Reading
    ) -> None:
        """One document, with the text it has, or that of the input, or none."""

        def fault(code: str, message: str, at: Element, repair: str) -> None:
            found = " ".join(f'{k}="{v}"' for k, v in at.attrib.items())
            reading.strictness.fault(
                code,
                message,
                place=place(at, source.name),
                found=f"<{at.tag} {found}>"[:80],
                repair=repair,
            )

        answers = answers_of(element, fault)
        text = text_of(element, fault)
        name, part = element.get("id") or source.stem, element.get("part", "")
        label = f"{name}_{part}" if part else name
        if text is None:
            text = self._text(label, answers, element, source, fault)
        add_document(build, element, name, text, answers, fault)

    def _text(
        self, label: str, answers: Answers, element: Element, source: Source, fault: Fault
    ) -> Text:
        if self.input is not None:
            if label in self.documents:
                return text_of_input(self.input[self.documents[label]])
            fault("CB128", "the input has no such document", element, "read without its words")
        where = place(element, source.name)
        return text_of_answers(answers.references(), where, listed_in(element))

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Every document of the corpus; tasks 1 and 2 leave out mentions that cross another."""
        needs_words(corpus)
        stream.write(file_text(corpus, self.task or 4, self.kind).encode())


def _companion(where: str | Path) -> Corpus:
    return concatenate("input", list(ARE().read(Source.of(where), Reading())))


ARE1, ARE2, ARE3, ARE4 = (partial(ARE, task) for task in (1, 2, 3, 4))
