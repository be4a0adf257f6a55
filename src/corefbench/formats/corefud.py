"""CorefUD 1.x: coreference in the MISC column of CoNLL-U.

``# global.Entity = eid-etype-head-other`` declares the fields of an opening bracket;
``Entity=(e27-abstract-3-(e28-event-1-)`` opens e27 and marks the one word e28, ``e27)`` closes.
Heads and minimal spans count the mention's own words from 1; here they are token offsets.
Where no head is declared (GUM), it is the first word whose governor lies outside the mention.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import BinaryIO, TypeAlias

import numpy as np

from corefbench.errors import FormatError, Place, UsageError
from corefbench.findings import Strictness
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.conllu import COLUMNS, Block, Comments, Sentence, blocks, sentences
from corefbench.formats.source import Source
from corefbench.model.builder import CorpusBuilder, Span
from corefbench.model.corpus import Corpus
from corefbench.record import Record

DEFAULT_FIELDS = "eid-etype-head-other"
ITEMS = ("Entity=", "Bridge=", "SplitAnte=")

_HEAD, _MISC = COLUMNS.index("head"), COLUMNS.index("misc")
_CHUNK = re.compile(r"\([^()]+\)?|[^()]+\)")
_ITEM = re.compile(r"(?:^|\|)(Entity|Bridge|SplitAnte)=([^|]*)")
_PART = re.compile(r"(.+)\[(\d+)/(\d+)\]")
_EMPTY_NODE = re.compile(rb"(?:^|\n)\d+\.\d+\t")
_UNSAFE = re.compile(r"[()|\s]")
_UNSAFE_INSIDE = re.compile(r"[-()|\s]")
_UNSAFE_LABEL = re.compile(r"[-()\[\]|,<>:=\s]")


class CorefUD:
    """Reads and writes CorefUD.

    >>> text = b"# global.Entity = eid\\n1\\tI" + b"\\t_" * 7 + b"\\tEntity=(e1)\\n"
    >>> list(CorefUD().read(Source.of(text), Reading()))
    [<Corpus 'memory': 1 documents, 1 tokens, 1 mentions, 1 chains>]
    """

    card = FormatCard(
        name="corefud",
        title="CorefUD (CoNLL-U)",
        description="Universal Dependencies with entities, bridging and split antecedents in MISC.",
        extensions=(".conllu",),
        cites=("nedoluzhko2022",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of ``# global.Entity``; plain CoNLL-U, without entities, is read too."""
        if b"# global.columns" in head:
            return 0.0
        if b"# global.Entity" in head:
            return 1.0
        rows = (line for line in head.split(b"\n") if line.strip() and line[:1] != b"#")
        cells = next(rows, b"").split(b"\t")
        if len(cells) != len(COLUMNS) or not re.fullmatch(rb"\d+([-.]\d+)?", cells[0]):
            return 0.0
        return 0.95 if b"Entity=" in head else 0.6

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, each begun by ``# newdoc``; without one the file is one document."""
        reader = _Reader(source, reading)
        for block in blocks(source, reading.block_bytes):
            corpus = reader.corpus(block)
            if len(corpus):
                yield corpus

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """One declaration for all documents; multiword tokens are not kept."""
        if corpus.tokens.words is None:
            raise UsageError(
                "the corpus was read without its words", remedy="read it with its words"
            )
        writer = _Writer(corpus)
        for document in range(len(corpus)):
            stream.write("".join(writer.document(document)).encode())


class _Attributes(Record, frozen=True):
    """What an opening bracket says beside its entity; numbers count the mention's words from 1."""

    head: str
    minimum: str
    numbers: tuple[int, ...]
    columns: dict[str, str]


class _Fields:
    """The declared fields of an opening bracket, and the brackets already understood."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.identity = next(i for i, name in enumerate(names) if name in ("eid", "GRP"))
        self.others = [name for name in names if name not in ("eid", "GRP")]
        self._known: dict[str, _Attributes] = {}

    def parse(self, body: str) -> tuple[str, _Attributes]:
        """The entity and the attributes; hyphens in the last field are its own."""
        if self.identity:
            values = body.split("-", len(self.names) - 1)
            label = values.pop(self.identity) if self.identity < len(values) else ""
            return label, self._attributes(values)
        label, _, rest = body.partition("-")
        attributes = self._known.get(rest)
        if attributes is None:
            attributes = self._attributes(rest.split("-", len(self.others) - 1))
            self._known[rest] = attributes
        return label, attributes

    def _attributes(self, values: list[str]) -> _Attributes:
        values += [""] * (len(self.others) - len(values))
        columns = dict(zip(self.others, values, strict=False))
        head, minimum = columns.pop("head", ""), columns.pop("minspan", "")
        numbers = [_number(text) for text in minimum.split(",")] if minimum else []
        return _Attributes(
            head=head, minimum=minimum, numbers=tuple(sorted(set(numbers))), columns=columns
        )

    def forget(self) -> None:
        self._known.clear()


_Opened: TypeAlias = tuple[int, int, str, _Attributes]
"""A bracket: the place of its mention in the order of opening, first word, entity, attributes."""


_Key: TypeAlias = tuple[str, *tuple[Span, ...]]
"""A mention in its sentence: entity and spans."""

_Order: TypeAlias = tuple[int, int, int]
"""First word and end (negative) of a mention, counted over the document, and its number: sorts as
the corpus does."""


class _Reader:
    """What is remembered from one block to the next: the declaration and the open document."""

    def __init__(self, source: Source, reading: Reading) -> None:
        self.source = source
        self.reading = reading
        self.comments = Comments(source.stem)
        self.declaration: str | None = None
        self.fields = _Fields(DEFAULT_FIELDS.split("-"))

    def corpus(self, block: Block) -> Corpus:
        words = self.reading.words
        # Zeros are matched by their dependencies, so these stay even where the words do not.
        zeros = _EMPTY_NODE.search(block.content) is not None
        build = CorpusBuilder(self.source.stem, words=words, columns=("id", "deps"))
        document = _Document(build, self.reading.strictness, self.source.name)
        for sentence in sentences(block, self.source):
            self.comments.hear(sentence)
            rows = self.rows(sentence)
            if not rows:
                continue
            if self.comments.newdoc is not None:
                document.finish()
                build.begin_document(self.comments.newdoc, columns=self.comments.meta)
            self.comments.begun()
            start = build.position
            empty = [token for token in rows if "." in token[0]] if zeros else []
            build.sentence(
                [row[1] for row in rows],
                empty=["." in row[0] for row in rows] if empty else None,
                columns=_token_columns(rows) if words or empty else None,
            )
            marked = [
                index
                for index, row in enumerate(rows)
                if "Entity=" in row[9] or "Bridge=" in row[9] or "SplitAnte=" in row[9]
            ]
            if marked:
                fields = self.declared(sentence, rows, marked[0])
                document.sentence(_Brackets(document, sentence, rows, fields, start), marked)
        document.finish()
        self.fields.forget()
        return build.finish()

    def rows(self, sentence: Sentence) -> list[list[str]]:
        """The cells of each token; multiword tokens (``3-4``) are left out."""
        rows = [
            cells
            for line in sentence.lines
            if line and line[0] != "#" and "-" not in (cells := line.split("\t"))[0]
        ]
        if rows and min(map(len, rows)) < len(COLUMNS):
            for number, line in enumerate(sentence.lines, sentence.line):
                if line and line[0] != "#" and line.count("\t") < len(COLUMNS) - 1:
                    self.reading.strictness.fault(
                        "CB110",
                        "a line has too few columns",
                        place=Place(source=self.source.name, line=number),
                        found=f"{line.count(chr(9)) + 1} columns",
                        expected="10 columns, separated by TAB",
                        repair="missing columns read as _",
                    )
            rows = [row + ["_"] * (len(COLUMNS) - len(row)) for row in rows]
        return rows

    def declared(self, sentence: Sentence, rows: list[list[str]], row: int) -> _Fields:
        """The fields as last declared; asked for when the first entity of a sentence is met."""
        declaration = self.comments.declared.get("global.Entity", "")
        if declaration != self.declaration:
            self.declaration = declaration
            names = [name.strip() for name in declaration.split("-")]
            if "eid" not in names and "GRP" not in names:
                self.reading.strictness.fault(
                    "CB117",
                    "the fields of Entity are not declared",
                    place=Place(source=self.source.name, line=_line(sentence, rows, row)),
                    found=f"# global.Entity = {declaration}" if declaration else rows[row][_MISC],
                    expected=f"# global.Entity = {DEFAULT_FIELDS}",
                    repair=f"read as {DEFAULT_FIELDS}",
                )
                names = DEFAULT_FIELDS.split("-")
            self.fields = _Fields(names)
        return self.fields


class _Document:
    """The open document: its chains, and relations that wait until all chains are known."""

    def __init__(self, build: CorpusBuilder, strictness: Strictness, source: str) -> None:
        self.build = build
        self.strictness = strictness
        self.source = source
        self.chains: set[str] = set()
        self.bridges: list[tuple[_Order, str, str, Place]] = []
        self.splits: list[tuple[str, str, Place]] = []

    def sentence(self, brackets: "_Brackets", marked: list[int]) -> None:
        items: list[tuple[int, str, str]] = []
        for index in marked:
            misc = brackets.rows[index][_MISC]
            for item in misc.split("|") if "|" in misc else (misc,):
                if item[:7] == "Entity=":
                    brackets.cell(index, item[7:])
                elif item.startswith(ITEMS):
                    key, _, value = item.partition("=")
                    items.append((index, key, value))
        mentions = brackets.mentions()
        for index, key, value in items:
            place = brackets.place(index)
            here = brackets.beginning(index, mentions)
            for link in value.split(","):
                target, _, this = link.partition("<")
                if key == "SplitAnte":
                    self.splits.append((this, target, place))
                else:
                    self.bridge(here, target, this, place)

    def bridge(self, here: dict[str, _Order], target: str, this: str, place: Place) -> None:
        label, _, relation = this.partition(":")
        if label in here:
            self.bridges.append((here[label], target, relation, place))
        else:
            self.lost(label, place, "Bridge")

    def lost(self, label: str, place: Place, item: str) -> None:
        self.strictness.fault(
            "CB115",
            f"{item} names an entity that is not there",
            place=place,
            found=label,
            expected="target<source, the source beginning here" if item == "Bridge" else "",
            repair="relation left out",
        )

    def finish(self) -> None:
        """Add the relations, in the order of their mentions and chains."""
        for order, target, relation, place in sorted(self.bridges, key=lambda bridge: bridge[0]):
            if target in self.chains:
                self.build.bridge(order[-1], chain=self.build.chain(target), label=relation)
            else:
                self.lost(target, place, "Bridge")
        known = []
        for this, target, place in self.splits:
            if missing := {this, target} - self.chains:
                self.lost(min(missing), place, "SplitAnte")
            else:
                known.append((self.build.chain(this), self.build.chain(target)))
        for plural, element in sorted(known, key=lambda pair: pair[0]):
            self.build.split_antecedent(plural, element)
        self.chains, self.bridges, self.splits = set(), [], []


class _Brackets:
    """The brackets of one sentence, matched by entity; no mention leaves its sentence."""

    def __init__(
        self,
        document: _Document,
        sentence: Sentence,
        rows: list[list[str]],
        fields: _Fields,
        start: int,
    ) -> None:
        self.document = document
        self.lines = sentence
        self.rows = rows
        self.fields = fields
        self.start = start
        self.open: dict[str, list[_Opened]] = {}
        self.waiting: dict[tuple[str, int], list[tuple[_Opened, list[Span]]]] = {}
        self.found: list[tuple[str, list[Span], _Attributes] | None] = []
        self._governors: list[int] = []

    def place(self, index: int) -> Place:
        return Place(source=self.document.source, line=_line(self.lines, self.rows, index))

    def fault(self, code: str, message: str, index: int, found: str, repair: str) -> None:
        self.document.strictness.fault(
            code, message, place=self.place(index), found=found, repair=repair
        )

    def cell(self, index: int, text: str) -> None:
        """Take in the brackets of one word, in any order."""
        chunks: list[str] = _CHUNK.findall(text)
        if len("".join(chunks)) != len(text):
            self.fault("CB106", "Entity is not brackets", index, text, "the rest left out")
        found, parse = self.found, self.fields.parse
        for chunk in chunks:
            if chunk[0] == "(":
                single = chunk[-1] == ")"
                label, attributes = parse(chunk[1:-1] if single else chunk[1:])
                if single and label[-1:] != "]":
                    found.append((label, [(index, index + 1)], attributes))
                    continue
                opened = (len(found), index, label, attributes)
                found.append(None)
                if single:
                    self.close(opened, index + 1)
                elif label in self.open:
                    self.open[label].append(opened)
                else:
                    self.open[label] = [opened]
            elif stack := self.open.get(chunk[:-1]):
                self.close(stack.pop(), index + 1)
            else:
                message = "a mention is closed that was never opened in this sentence"
                self.fault("CB104", message, index, chunk, "bracket ignored")

    def close(self, opened: _Opened, end: int) -> None:
        slot, start, label, attributes = opened
        part = _PART.fullmatch(label) if label[-1:] == "]" else None
        if part is None:
            self.found[slot] = (label, [(start, end)], attributes)
        else:
            self.close_part(opened, (start, end), part[1], int(part[2]), int(part[3]))

    def close_part(self, opened: _Opened, span: Span, label: str, number: int, total: int) -> None:
        """Part ``number`` of ``total`` goes to the first mention that waits for it."""
        waiting = self.waiting.setdefault((label, total), [])
        if number == 1:
            waiting.append((opened, []))
        for entry in waiting:
            (slot, _, _, attributes), spans = entry
            if len(spans) == number - 1:
                spans.append(span)
                if number == total:
                    waiting.remove(entry)
                    self.found[slot] = (label, _joined(spans), attributes)
                return
        text = f"{label}[{number}/{total}]"
        self.fault("CB116", "an earlier part is missing", span[0], text, "part left out")

    def mentions(self) -> dict[_Key, int]:
        """Add the mentions in opening order: the number of each by its entity and spans."""
        if self.waiting or any(self.open.values()):
            self.check_complete()
        added: dict[_Key, int] = {}
        for entry in self.found:
            if entry is None:
                continue
            label, spans, attributes = entry
            key: _Key = (label, *spans)
            if key in added and self.document.strictness.lenient:
                first = spans[0][0]
                self.fault("CB113", "a mention occurs twice", first, label, "one of them left out")
                continue
            added[key] = self.add(label, spans, attributes)
        return added

    def beginning(self, index: int, mentions: dict[_Key, int]) -> dict[str, _Order]:
        """The mentions that begin at a word, by entity; of two of one entity the inner one."""
        start = self.start
        return {
            label: (start + index, -start - spans[-1][1], number)
            for (label, *spans), number in mentions.items()
            if spans[0][0] == index
        }

    def check_complete(self) -> None:
        for stack in self.open.values():
            for _, start, label, _ in stack:
                message = "a mention is opened and not closed in its sentence"
                self.fault("CB105", message, start, "(" + label, "mention left out")
        for (label, total), waiting in self.waiting.items():
            for (_, start, *_), spans in waiting:
                message = f"{len(spans)} of {total} parts were found"
                self.fault("CB116", message, start, label, "mention left out")

    def add(self, label: str, spans: list[Span], attributes: _Attributes) -> int:
        start = self.start
        head = self.head(spans, attributes.head)
        self.document.chains.add(label)
        return self.document.build.mention(
            label,
            [(start + a, start + b) for a, b in spans],
            head=start + head if head >= 0 else -1,
            minimum=self.minimum(spans, attributes) if attributes.numbers else (),
            columns=attributes.columns,
        )

    def head(self, spans: list[Span], text: str) -> int:
        """The word that the head field counts to; without one, the first word whose governor
        lies outside the mention, or -1."""
        if text:
            words = _words(spans)
            if 1 <= _number(text) <= len(words):
                return words[int(text) - 1]
            message = "the head lies outside its mention"
            self.fault("CB114", message, words[0], text, "taken from the tree")
        first, last = spans[0]
        if last == first + 1 and len(spans) == 1:
            return -1 if self.rows[first][_HEAD] == "_" else first
        governors = self._governors or self.governors()
        for first, last in spans:
            for word in range(first, last):
                governor = governors[word]
                if governor != word and not (
                    spans[0][0] <= governor < spans[-1][1]
                    and (len(spans) == 1 or governor in _words(spans))
                ):
                    return word
        return -1

    def governors(self) -> list[int]:
        """For each word the place of its governor: -1 for a root, itself where unknown."""
        place = {row[0]: index for index, row in enumerate(self.rows)}
        self._governors = [
            index if row[_HEAD] == "_" else place.get(row[_HEAD], -1)
            for index, row in enumerate(self.rows)
        ]
        return self._governors

    def minimum(self, spans: list[Span], attributes: _Attributes) -> list[Span]:
        words, start, numbers = _words(spans), self.start, attributes.numbers
        if numbers[0] < 1 or numbers[-1] > len(words):
            message = "the minimal span lies outside its mention"
            self.fault("CB114", message, words[0], attributes.minimum, "minimal span left out")
            return []
        if len(numbers) == 1:
            place = start + words[numbers[0] - 1]
            return [(place, place + 1)]
        places = [start + words[number - 1] for number in numbers]
        return _joined([(place, place + 1) for place in places])


class _Writer:
    """One corpus as text, document by document."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        mentions = corpus.mentions
        self.edges = np.searchsorted(mentions.document, np.arange(len(corpus) + 1))
        self.labels = [_escaped(corpus.chains.label(c)) for c in range(len(corpus.chains))]
        own = {"head", "minspan"}
        self.others = [name for name in mentions.columns if name not in own]
        etype = [name for name in self.others if name == "etype"]
        repeated = len(set(self.labels)) < len(self.labels)
        self.names = [
            # An eid is unique in its file, a GRP in its document only.
            "GRP" if repeated else "eid",
            *etype,
            *(["head"] if mentions.head is not None else []),
            *(["minspan"] if mentions.minimum is not None else []),
            *(name for name in self.others if name != "etype"),
        ]
        first = {int(c): m for m, c in reversed(list(enumerate(mentions.chain.tolist())))}
        self.bridges: dict[int, list[str]] = {}
        self.splits: dict[int, list[str]] = {}
        relations = corpus.relations
        for row, anaphor in enumerate(relations.bridging_anaphor.tolist()):
            target = int(relations.bridging_chain[row])
            if target < 0:
                target = int(mentions.chain[relations.bridging_mention[row]])
            link = f"{self.labels[target]}<{self.labels[mentions.chain[anaphor]]}"
            label = _UNSAFE.sub(_percent, relations.bridging_label[row]).replace(",", "%2C")
            self.bridges.setdefault(anaphor, []).append(f"{link}:{label}" if label else link)
        for plural, element in zip(
            relations.plural.tolist(), relations.element.tolist(), strict=True
        ):
            if plural in first:
                link = f"{self.labels[element]}<{self.labels[plural]}"
                self.splits.setdefault(first[plural], []).append(link)

    def document(self, document: int) -> Iterator[str]:
        """The text of a document, sentence by sentence."""
        view = self.corpus[document]
        first = int(self.corpus.tokens.offsets[document])
        rows = self.rows(first, first + len(view))
        entities = self.entities(document, [end for _, end in view.sentences])
        yield f"# newdoc id = {_one_line(view.label)}\n# global.Entity = {'-'.join(self.names)}\n"
        for name, values in self.corpus.documents.columns.items():
            if values[document]:
                yield f"# meta::{name} = {_one_line(values[document])}\n"
        for number, (start, end) in enumerate(view.sentences, 1):
            if start == end:
                continue
            self.complete(rows[start:end], first + start)
            yield f"# sent_id = {_one_line(view.label)}-{number}\n"
            yield f"# text = {_text(rows[start:end])}\n"
            for token in range(start, end):
                *cells, misc = rows[token]
                items = [*entities.get(token, ()), *([misc] if misc != "_" else [])]
                yield "\t".join([*cells, "|".join(items) or "_"]) + "\n"
            yield "\n"

    def rows(self, start: int, end: int) -> list[list[str]]:
        tokens = self.corpus.tokens
        columns = []
        for name in COLUMNS:
            column = tokens.words if name == "form" else tokens.columns.get(name)
            texts = column.slice(start, end) if column is not None else [""] * (end - start)
            columns.append([re.sub(r"[\t\n\r]", " ", text) or "_" for text in texts])
        return [list(row) for row in zip(*columns, strict=True)]

    def complete(self, rows: list[list[str]], first: int) -> None:
        """Number the tokens of a sentence where the corpus has not, and say 0 for their governors
        where it has no trees: readers of CoNLL-U want a number."""
        tokens, words, empties = self.corpus.tokens, 0, 0
        for token, row in enumerate(rows, first):
            empty = tokens.empty is not None and bool(tokens.empty[token])
            words, empties = (words, empties + 1) if empty else (words + 1, 0)
            if row[0] == "_":
                row[0] = f"{words}.{empties}" if empty else str(words)
            if not empty and "head" not in tokens.columns:
                row[_HEAD] = "0"

    def entities(self, document: int, ends: list[int]) -> dict[int, list[str]]:
        """For each token, its items of MISC."""
        opened: dict[int, list[str]] = {}
        closed: dict[int, list[tuple[int, int, str]]] = {}
        items: dict[int, tuple[list[str], list[str]]] = {}
        numbers = range(int(self.edges[document]), int(self.edges[document + 1]))
        for mention, parts in self.written_parts(numbers):
            if len(set(np.searchsorted(ends, [parts[0][0], parts[-1][1] - 1], "right"))) > 1:
                message = "a mention crosses the end of a sentence, which CorefUD does not allow"
                raise self.unwritable("CB105", message, mention)
            label = self.labels[self.corpus.mentions.chain[mention]]
            values = self.values(mention)
            for number, (start, end) in enumerate(parts, 1):
                name = f"{label}[{number}/{len(parts)}]" if len(parts) > 1 else label
                text = "-".join(["(" + name, *values])
                opened.setdefault(start, []).append(text + ")" if end == start + 1 else text)
                if end > start + 1:
                    closed.setdefault(end - 1, []).append((-start, -mention, f"{name})"))
            bridges, splits = items.setdefault(parts[0][0], ([], []))
            bridges += self.bridges.get(mention, ())
            splits += self.splits.get(mention, ())
        found: dict[int, list[str]] = {}
        for token in sorted({*opened, *closed}):
            opens = "".join(opened.get(token, ()))
            closes = "".join(text for *_, text in sorted(closed.get(token, ())))
            # Single words come before closing brackets, and after those that open here.
            singles = all(text[-1] == ")" for text in opened.get(token, ()))
            bridges, splits = items.get(token, ([], []))
            found[token] = [
                f"{key}{text}"
                for key, text in zip(
                    ITEMS,
                    (
                        opens + closes if singles else closes + opens,
                        ",".join(bridges),
                        ",".join(splits),
                    ),
                    strict=True,
                )
                if text
            ]
        return found

    def values(self, mention: int) -> list[str]:
        """The fields after the entity, without the empty ones at the end."""
        values = [self.value(name, mention) for name in self.names[1:]]
        unsafe = [_UNSAFE_INSIDE] * (len(values) - 1) + [_UNSAFE]
        while values and not values[-1]:
            values.pop()
        return [bad.sub(_percent, value) for bad, value in zip(unsafe, values, strict=False)]

    def value(self, name: str, mention: int) -> str:
        mentions = self.corpus.mentions
        if name not in ("head", "minspan"):
            return mentions.columns[name][mention]
        words = _words(self.parts(mention))
        if name == "head":
            head = -1 if mentions.head is None else int(mentions.head[mention])
            return str(words.index(head) + 1) if head in words else ""
        spans = [] if mentions.minimum is None else mentions.minimum.of(mention)
        wanted = {word for a, b in spans for word in range(a, b)}
        return ",".join(str(n) for n, word in enumerate(words, 1) if word in wanted)

    def parts(self, mention: int) -> list[Span]:
        mentions = self.corpus.mentions
        if mentions.parts is not None:
            return mentions.parts.of(mention)
        return [(int(mentions.start[mention]), int(mentions.end[mention]))]

    def written_parts(self, numbers: Iterable[int]) -> Iterator[tuple[int, list[Span]]]:
        """The parts to write: brackets of one chain must nest, so where two of its mentions
        cross, the later is written in adjoining parts, which readers put together again."""
        open_spans: dict[int, list[Span]] = {}
        broken: dict[tuple[int, int], list[Span]] = {}
        for mention in numbers:
            parts, chain = self.parts(mention), int(self.corpus.mentions.chain[mention])
            before = [span for span in open_spans.get(chain, ()) if span[1] > parts[0][0]]
            cuts = {end for start, end in before for a, b in parts if start < a < end < b}
            open_spans[chain] = before + parts
            written = _cut(parts, cuts) if cuts else parts
            if len(written) > 1:
                last = broken.get((chain, len(written)), [])
                # Parts go to the mention that waits longest: all of one come before the other's.
                if any(a[1] > b[0] for a, b in zip(last, written, strict=False)):
                    message = "two broken mentions of one chain cannot be told apart in CorefUD"
                    raise self.unwritable("CB116", message, mention)
                broken[chain, len(written)] = written
            yield mention, written

    def unwritable(self, code: str, message: str, mention: int) -> FormatError:
        return FormatError(
            message,
            code=code,
            place=Place(document=self.corpus[int(self.corpus.mentions.document[mention])].label),
            found=f"the mention at tokens {self.parts(mention)}",
            remedy="write another format, such as jsonlines",
        )


def _line(sentence: Sentence, rows: list[list[str]], row: int) -> int:
    """The line of a token's row, found by its number in the sentence."""
    ident = rows[row][0] + "\t"
    return next(
        (n for n, line in enumerate(sentence.lines, sentence.line) if line.startswith(ident)),
        sentence.line,
    )


def _token_columns(rows: list[list[str]]) -> dict[str, Sequence[str]]:
    """The columns but the form, without the coreference items of MISC."""
    columns: dict[str, Sequence[str]] = dict(zip(COLUMNS, zip(*rows, strict=False), strict=False))
    del columns["form"]
    columns["misc"] = [_plain_misc(misc) if "=" in misc else misc for misc in columns["misc"]]
    return columns


def _plain_misc(misc: str) -> str:
    if not _ITEM.search(misc):
        return misc
    return "|".join(item for item in misc.split("|") if not item.startswith(ITEMS)) or "_"


def _number(text: str) -> int:
    """The number, 0 where it is none."""
    return int(text) if text.isascii() and text.isdigit() else 0


def _words(spans: list[Span]) -> Sequence[int]:
    """The places of a mention's words."""
    return range(*spans[0]) if len(spans) == 1 else [w for a, b in spans for w in range(a, b)]


def _joined(spans: list[Span]) -> list[Span]:
    """The spans, adjoining ones made one.

    >>> _joined([(0, 2), (2, 3), (5, 6)])
    [(0, 3), (5, 6)]
    """
    joined = spans[:1]
    for start, end in spans[1:]:
        if start == joined[-1][1]:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _cut(spans: list[Span], cuts: set[int]) -> list[Span]:
    """The spans, cut at the given places.

    >>> _cut([(0, 5)], {2})
    [(0, 2), (2, 5)]
    """
    pieces = []
    for start, end in spans:
        edges = [start, *sorted(cut for cut in cuts if start < cut < end), end]
        pieces += list(pairwise(edges))
    return pieces


def _text(rows: list[list[str]]) -> str:
    """The sentence as it was printed, as far as SpaceAfter=No tells."""
    surface = [row for row in rows if "." not in row[0]]
    return "".join(
        row[1] + ("" if "SpaceAfter=No" in row[_MISC].split("|") else " ") for row in surface
    ).strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _escaped(label: str) -> str:
    return _UNSAFE_LABEL.sub(_percent, label)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
