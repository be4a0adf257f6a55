"""What binds a reflexive: what it stresses, a subject, another argument, what is near."""

from corefbench.resolvers.rules.binding import Binding
from corefbench.resolvers.rules.candidates import preceding
from corefbench.resolvers.rules.reflexives import bound_by
from tests.trees import discourse, phrase


def bound(text: str, reflexive: str = "himself", *, subjects: bool = True) -> str | None:
    of = discourse(text)
    anaphor = phrase(of, reflexive)
    near = [one for one in preceding(of, anaphor, 0) if not anaphor.agreement.clash(one.agreement)]
    found = bound_by(of, Binding(of), anaphor, near, subjects=subjects)
    return None if found is None else of.text_of(found)


SHOWED = """
Bob Bob PROPN NNP 2 nsubj [person]
showed show VERB VBD 0 root
Jim Jim PROPN NNP 2 obj [person]
to to ADP IN 5 case
himself himself PRON PRP 2 obl
"""


def test_a_subject_comes_before_a_nearer_object() -> None:
    assert bound(SHOWED) == "Bob"
    assert bound(SHOWED, subjects=False) == "Jim"


def test_what_is_stressed_comes_first() -> None:
    stressed = """
        Bob Bob PROPN NNP 2 nsubj [person]
        saw see VERB VBD 0 root
        the the DET DT 4 det
        king king NOUN NN 2 obj
        himself himself PRON PRP 4 nmod:npmod
    """
    assert bound(stressed).startswith("the king")


def test_the_subject_of_another_clause_does_not_bind() -> None:
    said = """
        Bob Bob PROPN NNP 2 nsubj [person]
        said say VERB VBD 0 root
        Jim Jim PROPN NNP 4 nsubj [person]
        hurt hurt VERB VBD 2 ccomp
        himself himself PRON PRP 4 obj
    """
    assert bound(said) == "Jim"


def test_without_a_binder_the_nearest_that_agrees_is_taken() -> None:
    about = """
        Bob Bob PROPN NNP 2 nsubj [person]
        knew know VERB VBD 0 root
        people people NOUN NNS 5 nsubj
        like like ADP IN 5 case
        himself himself PRON PRP 2 ccomp
    """
    assert bound(about) == "Bob"


def test_nothing_that_agrees_is_no_answer() -> None:
    assert bound("himself himself PRON PRP 0 root") is None
