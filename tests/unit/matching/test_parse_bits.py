"""Trees of mentions from bracket bits, down to where each run of words is said to stand."""

from corefbench.matching.parse_bits import Node, tree_of


def tree(*tokens: tuple[str, str], first: int = 0) -> Node | None:
    """The tree of (bit, word); tags do not matter here."""
    bits, words = [bit for bit, _ in tokens], [word for _, word in tokens]
    return tree_of(bits, words, ["NN"] * len(words), first)


def shape(node: Node) -> str:
    """Phrases as ``NP[…]``, runs of words with their index."""
    if node.is_words and not node.children:
        return f"{node.label}@{node.index}"
    name = f"{node.label}@{node.index}" if node.is_words else node.label
    return f"{name}[{' '.join(map(shape, node.children))}]"


def test_a_run_that_no_bracket_closes_stands_at_the_last_token():
    assert shape(tree(("(NP(NP*)", "Ann"), ("*", "of"), ("*", "Ulm"), first=5)) == (
        "NP[NP[Ann@5] of Ulm@7]"
    )


def test_a_run_before_an_opening_bracket_stands_at_the_bracket():
    assert shape(tree(("(NP*", "man"), ("(PP*)", "of"), ("*)", "old"), first=2)) == (
        "NP[man@3 PP[of@3] old@4]"
    )


def test_a_run_before_an_opening_bracket_counts_if_one_of_its_words_is_plain():
    assert shape(tree(("(NP*", "the"), ("*", "U.S."), ("(NP*))", "man"))) == (
        "NP[the U.S.@2 NP[man@2]]"
    )
    assert shape(tree(("(NP*", "U.S."), ("(NP*))", "man"))) == "NP[NP[man@1]]"
    assert shape(tree(("(NP*", "10"), ("(NP*))", "men"))) == "NP[10@1 NP[men@1]]"


def test_several_roots_are_put_under_a_noun_phrase():
    assert shape(tree(("(NP*)", "Ann"), ("(VP*)", "left"))) == "NP[NP[Ann@0] VP[left@1]]"
    assert shape(tree(("(NP*)", "Ann"), ("*", "and"), ("(NP*)", "Ben"))) == (
        "NP[NP[Ann@0] and@2[NP[Ben@2]]]"
    )


def test_without_any_bit_there_is_no_tree():
    assert tree(("-", "Ann"), ("-", "left")) is None
