from corefbench.language_models.merging import merge


def chains(mentions) -> set[frozenset]:
    found: dict[str, set] = {}
    for start, end, label in mentions:
        found.setdefault(label, set()).add((start, end))
    return {frozenset(chain) for chain in found.values()}


def test_chains_that_share_a_mention_in_the_overlap_are_one() -> None:
    made = merge(
        [
            [(0, 1, "1"), (2, 3, "2"), (8, 9, "1")],
            [(8, 9, "1"), (12, 13, "2"), (14, 15, "1")],
        ]
    )
    assert chains(made.mentions) == {
        frozenset([(0, 1), (8, 9), (14, 15)]), frozenset([(2, 3)]), frozenset([(12, 13)]),
    }  # fmt: skip
    assert (made.joined, made.refused) == (1, 0)


def test_equal_numbers_in_two_windows_mean_nothing() -> None:
    made = merge([[(0, 1, "1")], [(9, 10, "1")]])
    assert len(chains(made.mentions)) == 2


def test_a_chain_goes_through_three_windows() -> None:
    made = merge([
        [(0, 1, "a"), (8, 9, "a")], [(8, 9, "b"), (16, 17, "b")], [(16, 17, "c"), (20, 21, "c")],
    ])  # fmt: skip
    assert chains(made.mentions) == {frozenset([(0, 1), (8, 9), (16, 17), (20, 21)])}


def test_one_wrong_link_does_not_melt_two_chains() -> None:
    made = merge(
        [
            [(0, 1, "1"), (6, 7, "1"), (8, 9, "1"), (2, 3, "2"), (9, 10, "2")],
            [(6, 7, "1"), (8, 9, "1"), (9, 10, "1"), (14, 15, "1")],
        ]
    )
    assert chains(made.mentions) == {
        frozenset([(0, 1), (6, 7), (8, 9), (14, 15)]), frozenset([(2, 3), (9, 10)]),
    }  # fmt: skip
    assert (made.joined, made.refused) == (1, 1)


def test_a_mention_that_one_window_alone_has_is_kept() -> None:
    made = merge([[(0, 1, "1"), (7, 8, "1")], [(8, 9, "4")]])
    assert [mention[:2] for mention in made.mentions] == [(0, 1), (7, 8), (8, 9)]


def test_a_document_without_answers_has_no_mentions() -> None:
    assert merge([]).mentions == merge([[], []]).mentions == ()
