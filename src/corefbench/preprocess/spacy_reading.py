"""From the tokens of spaCy's documents to the columns of an analysis."""

from itertools import pairwise
from typing import Any

from corefbench.errors import UsageError
from corefbench.preprocess.analysis import Analysis, Entity
from corefbench.preprocess.base import Input
from corefbench.preprocess.clearnlp import ClearNLP
from corefbench.preprocess.compose import compose
from corefbench.preprocess.entity_labels import entity_type
from corefbench.preprocess.penn import upos_of
from corefbench.preprocess.pieces import Piece


class Reading:
    """One document, piece by piece, from spaCy's tokens to columns."""

    def __init__(self, given: Input, *, clearnlp: bool) -> None:
        self.given, self.clearnlp = given, clearnlp
        self.offsets: list[tuple[int, int]] = []
        self.lemmas: list[str] = []
        self.upos: list[str] = []
        self.xpos: list[str] = []
        self.features: list[str] = []
        self.heads: list[int] = []
        self.relations: list[str] = []
        self.entities: list[Entity] = []
        self.begins: list[int] = []

    def add(self, doc: Any, piece: Piece) -> None:
        """Take the tokens of a piece; those that are white space are left out."""
        if len(doc) and not doc.has_annotation("DEP"):
            raise UsageError(
                "the spaCy pipeline has no parser", remedy="take one with a tagger and a parser"
            )
        keep_all = piece.words is not None
        first = len(self.offsets)
        place, count = [], first
        for token in doc:
            place.append(count)
            count += keep_all or not token.is_space
        begins = True
        for token in doc:
            begins = begins or bool(token.is_sent_start)
            if token.is_space and not keep_all:
                continue
            if begins:
                self.begins.append(len(self.offsets))
                begins = False
            self._token(token, piece, place)
        self.entities += [
            Entity(start=place[span.start], end=end, type=entity_type(span.label_))
            for span in doc.ents
            for end in [place[span.end] if span.end < len(doc) else count]
            if end > place[span.start]
        ]

    def _token(self, token: Any, piece: Piece, place: list[int]) -> None:
        if piece.words is not None:
            self.offsets.append(piece.offsets[token.i])
        else:
            begin = piece.begin + token.idx
            self.offsets.append((begin, begin + len(token.text)))
        head = token.head
        while head.is_space and head.head.i != head.i and piece.words is None:
            head = head.head
        root = head.i == token.i or (head.is_space and piece.words is None)
        self.heads.append(-1 if root else place[head.i])
        self.relations.append("root" if root else token.dep_ or "dep")
        self.lemmas.append(token.lemma_)
        self.upos.append(token.pos_ or upos_of(token.tag_, token.text))
        self.xpos.append(token.tag_)
        self.features.append(str(token.morph))

    def analysis(self, pipeline: str) -> Analysis:
        given = self.given
        sentences = given.sentences
        if sentences is None:
            edges = [*self.begins, len(self.offsets)]
            sentences = tuple(pairwise(edges))
        heads, relations = self.heads, self.relations
        if self.clearnlp:
            heads, relations = ClearNLP(self.lemmas, self.upos, heads, relations).universal()
        return compose(
            given,
            words=[given.text[begin:end] for begin, end in self.offsets],
            offsets=self.offsets,
            sentences=sentences,
            lemmas=self.lemmas,
            upos=self.upos,
            xpos=self.xpos,
            features=self.features,
            heads=heads,
            relations=relations,
            entities=self.entities,
            pipeline=pipeline,
        )
