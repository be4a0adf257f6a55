"""Reads workbench XML as it is written here, a document at a time: no tags but those of the
format, in capitals but for words, and every value in double quotes."""

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from corefbench.formats.markup import (
    Tag,
    attributes_of,
    decoded,
    name_before_quote,
)
from corefbench.formats.plain import NotPlain, require
from corefbench.formats.workbench_read import WorkbenchReader
from corefbench.formats.workbench_write import KNOWN
from corefbench.model.corpus import Corpus

_ATTRIBUTES = r'((?:\s+[A-Za-z_][\w.:-]*+="[^"<>]*+")*+)'
_TEXT = re.compile(rf"\s*(?:<\?xml [^<>]*\?>)?\s*(?:<TEXTS>)?\s*<TEXT{_ATTRIBUTES}>")
_CLOSED = "</TEXT>"
_REST = re.compile(r"\s*(?:</TEXTS>)?\s*")
_EVENT = re.compile(
    rf"<(?:w{_ATTRIBUTES}>([^<>]*+)</w>|(/?)(COREF|NP|S|P){_ATTRIBUTES}>)",
)
_GROUPS = 1 + _EVENT.groups


class PlainReader(WorkbenchReader):
    """Gives up at what is not plain, and at whatever would be a fault."""

    def fault(self, code: str, message: str, tag: Tag, repair: str) -> None:
        raise NotPlain

    def corpus(self) -> Corpus:
        require(self.by_tags)
        position = 0
        while text := _TEXT.match(self.raw, position):
            end = self.raw.find(_CLOSED, text.end())
            require(end >= 0)
            self.begin(Tag("TEXT", False, False, attributes_of(text[1]), *text.span()))
            self.gather(self.raw[text.end() : end])
            self.add()
            position = end + len(_CLOSED)
        require(position and _REST.fullmatch(self.raw, position))
        return self.build.finish()

    def gather(self, body: str) -> None:
        """The words and the brackets of one document."""
        pieces = _EVENT.split(body)
        require(not "".join(pieces[::_GROUPS]).strip())
        said, words, closing, names, attributes = (pieces[n::_GROUPS] for n in range(1, _GROUPS))
        self.said = [some for some in said if some is not None]
        self.words = [word.strip() for word in words if word is not None]
        if "&" in body:
            self.words = list(map(decoded, self.words))
        count = list(accumulate(word is not None for word in words))
        self.brackets(
            [
                (name, slash, some, before)
                for name, slash, some, before in zip(names, closing, attributes, count, strict=True)
                if name is not None
            ]
        )

    def brackets(self, found: Sequence[tuple[str, str, str, int]]) -> None:
        """Sentences, mentions and noun phrases, of name, slash, attributes and words before."""
        edges = {0, len(self.words)}
        stacks: dict[str, list[tuple[str, int, int]]] = {"COREF": [], "NP": []}
        for order, (name, slash, attributes, before) in enumerate(found):
            if name in ("S", "P"):
                edges.add(before)
            elif not slash:
                stacks[name].append((attributes, before, order))
            else:
                if not stacks[name] or stacks[name][-1][1] == before:
                    raise NotPlain
                opened, start, number = stacks[name].pop()
                if name == "NP":
                    self.phrases.append((start, before))
                else:
                    tag = Tag(name, False, False, attributes_of(opened), 0, 0)
                    self.mentions.append((number, tag, start, before))
        require(not any(stacks.values()))
        self.sentences = list(pairwise(sorted(edges)))

    def columns(self) -> dict[str, list[str]]:
        """What the words say of themselves; at once, where all say the same sort of thing."""
        names = (
            [name_before_quote(some) or "" for some in self.said[0].split('"')[:-1:2]]
            if self.said
            else []
        )
        quotes = 2 * len(names)
        if len(set(names)) < len(names) or {some.count('"') for some in self.said} != {quotes}:
            return self.columns_by_word()
        flat = "".join(self.said).split('"')
        columns: dict[str, list[str]] = {}
        for number, name in enumerate(names):
            if len(set(flat[2 * number : -1 : quotes])) > 1:
                return self.columns_by_word()
            column = KNOWN.get(name.upper(), name)
            if column:
                columns[column] = [
                    decoded(v) for v in map(str.strip, flat[2 * number + 1 :: quotes])
                ]
        return self.with_phrases(columns)

    def columns_by_word(self) -> dict[str, list[str]]:
        self.attributes = [Tag("W", False, False, attributes_of(s), 0, 0) for s in self.said]
        return super().columns()
