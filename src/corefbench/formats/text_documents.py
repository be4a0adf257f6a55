"""Documents of many texts at once, whose tokens were found together."""

from collections.abc import Mapping, Sequence

import numpy as np

from corefbench.formats.segments import Segments
from corefbench.model.builder import CorpusBuilder


def add_documents(
    build: CorpusBuilder,
    names: Sequence[str],
    texts: Sequence[str],
    tokens: Segments,
    *,
    parts: Sequence[int] = (),
    columns: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Append a document a text, with its tokens and sentences.

    >>> from corefbench.formats.tokenise import segment_texts
    >>> texts = ["I am. No!", "Yes."]
    >>> build = CorpusBuilder("two")
    >>> add_documents(build, ["a", "b"], texts, segment_texts(texts))
    >>> [document.words for document in build.finish()]
    [['I', 'am', '.', 'No', '!'], ['Yes', '.']]
    """
    sizes = np.diff(tokens.offsets)
    start = np.repeat(tokens.starts, sizes)
    build.begin_documents(names, sizes, parts=parts, columns=columns, texts=texts)
    offsets = (tokens.begin - start, tokens.finish - start)
    build.sentences(tokens.strings, tokens.first, offsets=offsets)
