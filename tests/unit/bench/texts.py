"""A corpus with trees and chains, written by hand, so that no pipeline is needed."""

from corefbench.corpus.corpus import Corpus
from corefbench.formats.load import load

_HEADER = "# global.Entity = eid-etype-head-other\n"

_FIRST = """# newdoc id = first
# sent_id = a-1
# text = Ann met Tom .
1 Ann Ann PROPN NNP _ 2 nsubj _ Entity=(e1-person-1-)
2 met meet VERB VBD _ 0 root _ _
3 Tom Tom PROPN NNP _ 2 obj _ Entity=(e2-person-1-)
4 . . PUNCT . _ 2 punct _ _

# sent_id = a-2
# text = She gave him her book .
1 She she PRON PRP _ 2 nsubj _ Entity=(e1-person-1-)
2 gave give VERB VBD _ 0 root _ _
3 him he PRON PRP _ 2 iobj _ Entity=(e2-person-1-)
4 her her PRON PRP$ _ 5 nmod:poss _ Entity=(e3-object-2-(e1-person-1-)
5 book book NOUN NN _ 2 obj _ Entity=e3)
6 . . PUNCT . _ 2 punct _ _

"""

_SECOND = """# newdoc id = second
# sent_id = b-1
# text = The dog saw a cat .
1 The the DET DT _ 2 det _ Entity=(e1-animal-2-
2 dog dog NOUN NN _ 3 nsubj _ Entity=e1)
3 saw see VERB VBD _ 0 root _ _
4 a a DET DT _ 5 det _ Entity=(e2-animal-2-
5 cat cat NOUN NN _ 3 obj _ Entity=e2)
6 . . PUNCT . _ 3 punct _ _

# sent_id = b-2
# text = It barked .
1 It it PRON PRP _ 2 nsubj _ Entity=(e1-animal-1-)
2 barked bark VERB VBD _ 0 root _ _
3 . . PUNCT . _ 2 punct _ _

"""


def _tabs(text: str) -> str:
    rows = (line if line.startswith("#") else "\t".join(line.split()) for line in text.split("\n"))
    return "\n".join(rows)


CONLLU = (_HEADER + _tabs(_FIRST) + _tabs(_SECOND)).encode()
FIRST, SECOND = (_HEADER + _tabs(text) for text in (_FIRST, _SECOND))


def corpus() -> Corpus:
    """Two documents with three pronouns and one; the dog, not the cat, is *it*."""
    return load(CONLLU, format="corefud")
