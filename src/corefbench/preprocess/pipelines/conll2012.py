"""Pre-processor that reads the constituency parses of CoNLL-2012."""

import re
from collections.abc import Sequence

from corefbench.preprocess.analysis import Analysis, Constituent, Entity, normalize_entity_type, penn_to_upos
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.compose import compose_analysis
from corefbench.preprocess.documents import TokenColumns
from corefbench.preprocess.pipelines.annotated import AnnotationReader
from corefbench.preprocess.pipelines.head_rules import DependencyConverter

_BRACKETS = re.compile(r"\(([^()*\s]*)|(\*)|(\))")
_MAX_DEPTH = 150
"""Nesting depth; deeper brackets are ignored, because trees are walked recursively."""
_IRREGULAR = {
    form: lemma
    for line in """
    be am is are was were been being 's 're 'm ’s ’re ’m
    have has had having 've ’ve
    do does did done doing
    say said; go goes went gone; get got gotten; make made; know knew known; think thought
    take took taken; see saw seen; come came; give gave given; find found; tell told; feel felt
    become became; leave left; put put; mean meant; keep kept; let let; begin began begun
    show shown; hear heard; run ran; hold held; bring brought; write wrote written; sit sat
    stand stood; lose lost; pay paid; meet met; lead led; speak spoke spoken; read read
    spend spent; grow grew grown; win won; buy bought; send sent; build built; fall fell fallen
    cut cut; sell sold; break broke broken; eat ate eaten; drive drove driven; understand understood
    draw drew drawn; choose chose chosen; wear wore worn; catch caught; teach taught; die dying
    lie lay lain lying; rise rose risen; fly flew flown; throw threw thrown; sing sang sung
    will 'll wo ’ll; can ca; not n't n’t; a an
    man men; woman women; child children; person people; foot feet; tooth teeth; mouse mice
    wife wives; life lives; leaf leaves; knife knives; half halves; self selves; wolf wolves
    good better best; bad worse worst
    """.replace("\n", ";").split(";")
    for lemma, *forms in [line.split() or [""]]
    for form in forms
}
_SIBILANT = ("ses", "xes", "zes", "ches", "shes")
_NO_LEMMA = ("", "-", "_")
_VOWELS = frozenset("aeiou")
_AUXILIARIES = frozenset({"aux", "aux:pass", "cop"})


class Conll2012(AnnotationReader):
    """Reads the columns ``pos`` and ``parse``; lemmas are by rule where the column has none."""

    card = PreprocessorCard(
        name="parse",
        title="CoNLL-2012 parses",
        description="Penn tags and phrase structure that the corpus has; dependencies by head rules.",
        raw=False,
        cites=("pradhan2012",),
    )
    annotation = "parses"
    columns = ("pos", "parse")
    expected = "a corpus in CoNLL-2012, with part-of-speech tags and a parse column"

    def convert(self, source: Input, columns: TokenColumns) -> Analysis:
        """Convert the columns of a document to an analysis."""
        words, tags, sentences = columns.words, columns["pos"], source.sentences or ()
        bits = columns["parse"]
        trees = [parse_brackets(bits[a:b], tags[a:b], a) for a, b in sentences]
        converter = DependencyConverter(words, tags)
        for (start, end), tree in zip(sentences, trees, strict=True):
            if tree is not None:
                converter.walk(tree)
            else:
                _attach_flat(converter, start, end)
        # A word that no tree reaches (cut brackets) becomes a root.
        relations = [converter.relations.get(token, "dep") for token in range(len(words))]
        return compose_analysis(
            source,
            words=words,
            lemmas=_lemmas(columns, tags),
            upos=_upos(words, tags, relations),
            xpos=tags,
            features=["PronType=Rel" if t in converter.relative else "" for t in range(len(words))],
            heads=[converter.heads.get(token, -1) for token in range(len(words))],
            relations=relations,
            entities=_entities(columns["ne"]),
            trees=trees,
            predicates=_predicates(columns),
            pipeline=self.identity,
        )


def _attach_flat(converter: DependencyConverter, start: int, end: int) -> None:
    """Attach every word of a sentence without a parse to the first."""
    tree = Constituent(label="X", start=start, end=end, children=tuple(
        Constituent(label=converter.tags[t] or "X", start=t, end=t + 1) for t in range(start, end)
    ))  # fmt: skip
    converter.walk(tree)


def _lemmas(columns: TokenColumns, tags: Sequence[str]) -> list[str]:
    """Return the lemmas of the column, which has predicates only, else by rule."""
    cells = columns["lemma"]
    return [
        lemmatize(word, tag) if lemma in _NO_LEMMA else lemma
        for lemma, word, tag in zip(cells, columns.words, tags, strict=True)
    ]


def _predicates(columns: TokenColumns) -> list[bool] | None:
    """Return which words have a predicate lemma; None if the corpus lacks the column."""
    cells = columns["lemma"]
    return [lemma not in _NO_LEMMA for lemma in cells] if any(cells) else None


def _upos(words: Sequence[str], tags: Sequence[str], relations: Sequence[str]) -> list[str]:
    result = []
    for word, tag, relation in zip(words, tags, relations, strict=True):
        if relation in _AUXILIARIES:
            result.append("AUX")
        elif tag == "IN" and relation == "mark":
            result.append("SCONJ")
        elif tag in ("DT", "WDT") and relation not in ("det", "det:predet"):
            result.append("PRON")
        else:
            result.append(penn_to_upos(tag, word))
    return result


def _entities(cells: Sequence[str]) -> list[Entity]:
    """Parse the named entities of a bracket column: ``(PERSON*``, ``*)``, ``(GPE)``."""
    entities: list[Entity] = []
    open_entities: list[tuple[int, str]] = []
    for token, cell in enumerate(cells):
        for piece in cell.split("(")[1:]:
            open_entities.append((token, piece.strip("*)")))
        for _ in range(cell.count(")")):
            if open_entities:
                start, label = open_entities.pop()
                entities.append(Entity(start=start, end=token + 1, type=normalize_entity_type(label)))
    return sorted(entities, key=lambda entity: (entity.start, -entity.end))


def parse_brackets(bits: Sequence[str], tags: Sequence[str], first: int) -> Constituent | None:
    """Parse the bracket cells of a sentence that begins at token ``first``; None without brackets.

    Unclosed brackets end with the sentence, closing ones without a partner are ignored, and several
    roots are put under one.

    >>> tree = parse_brackets(["(S(NP*)", "(VP*))"], ["PRP", "VBD"], 7)
    >>> tree.label, [(child.label, child.start) for child in tree.children]
    ('S', [('NP', 7), ('VP', 8)])
    """
    if not any("(" in bit for bit in bits):
        return None
    open_nodes: list[tuple[str, int, list[Constituent]]] = [("TOP", first, [])]
    ignored = 0
    for token, (bit, tag) in enumerate(zip(bits, tags, strict=True), first):
        for label, star, close in _BRACKETS.findall(bit if "*" in bit else bit + "*"):
            if star:
                open_nodes[-1][2].append(Constituent(label=tag, start=token, end=token + 1))
            elif not close:
                if len(open_nodes) > _MAX_DEPTH:
                    ignored += 1
                else:
                    open_nodes.append((_strip_function_tags(label), token, []))
            elif ignored:
                ignored -= 1
            elif len(open_nodes) > 1:
                _close_node(open_nodes)
    while len(open_nodes) > 1:
        _close_node(open_nodes)
    children = open_nodes[0][2]
    if len(children) == 1:
        return children[0]
    return Constituent(label="TOP", start=first, end=first + len(bits), children=tuple(children))


def _close_node(open_nodes: list[tuple[str, int, list[Constituent]]]) -> None:
    label, _, children = open_nodes.pop()
    if children:
        start, end = children[0].start, children[-1].end
        node = Constituent(label=label, start=start, end=end, children=tuple(children))
        open_nodes[-1][2].append(node)


def _strip_function_tags(label: str) -> str:
    """Strip function tags and numbers from a label: ``NP-SBJ-1`` becomes NP."""
    return re.split(r"[-=|]", label, maxsplit=1)[0] or label or "X"


def lemmatize(word: str, tag: str) -> str:
    """Lemmatize a word by its Penn tag; names are kept.

    >>> [lemmatize(*pair) for pair in [("parties", "NNS"), ("stopped", "VBD"), ("making", "VBG")]]
    ['party', 'stop', 'make']
    """
    if tag.startswith("NNP"):
        return word
    word = word.lower()
    if word in _IRREGULAR and tag[:1] in ("V", "N", "M", "R", "D", "J") and tag != "NN":
        return _IRREGULAR[word]
    if tag in ("NNS", "VBZ"):
        return _strip_s(word)
    if tag in ("VBD", "VBN") and word.endswith("ed") and len(word) > 4:
        return word[:-3] + "y" if word.endswith("ied") else _restore_stem(word[:-2])
    if tag == "VBG" and word.endswith("ing") and len(word) > 5:
        return _restore_stem(word[:-3])
    return word


def _strip_s(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(_SIBILANT):
        return word[:-2] if not word.endswith(("uses", "ases", "oses", "izes")) else word[:-1]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _restore_stem(word: str) -> str:
    """Return the base form of what is left before -ed and -ing: *stopp* stop, *mak* make."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    if word[-1] in "vuc" or word.endswith(("at", "iz", "ls", "rg", "dg")):
        return word + "e"
    short = len(word) > 2 and word[-1] not in "wxyaeiou" and word[-2] in _VOWELS
    if short and word[-3] not in _VOWELS and sum(c in _VOWELS for c in word) == 1:
        return word + "e"
    return word
