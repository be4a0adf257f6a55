"""Sentences for tests in one line: ``word/TAG`` or ``word/TAG/lemma``, without a tree."""

from corefbench.preprocess.analysis import Analysis


def tagged(text: str) -> Analysis:
    """One sentence with words, tags and lemmas; every word is a root."""
    cells = [cell.split("/") for cell in text.split()]
    words = tuple(cell[0] for cell in cells)
    count = len(cells)
    return Analysis(
        name="test",
        text=" ".join(words),
        words=words,
        offsets=tuple((0, 0) for _ in words),
        sentences=((0, count),),
        paragraphs=(0,),
        headings=(False,),
        lemmas=tuple(cell[2] if len(cell) > 2 else cell[0].lower() for cell in cells),
        upos=("X",) * count,
        xpos=tuple(cell[1] for cell in cells),
        features=("",) * count,
        heads=(-1,) * count,
        relations=("root",) * count,
    )
