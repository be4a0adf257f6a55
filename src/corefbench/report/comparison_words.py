"""What was tested and how, in words that a caption or a paper can take over."""

from corefbench.analysis.comparison import Comparison

_ENOUGH = 20
"""Documents from which on the bootstrap is near its level; see docs/compare.md."""
_CORRECTIONS = {
    "holm": "adjusted after Holm",
    "bh": "adjusted after Benjamini and Hochberg",
    "none": "not adjusted",
}


def count(number: int, noun: str) -> str:
    """``1 document``, ``1,200 documents``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def cited_test(comparison: Comparison) -> str:
    """The test, its samples, the correction and the threshold."""
    settings = comparison.settings
    if not comparison.is_tested:
        return "one document: nothing to resample, no test possible"
    if comparison.exact:
        ways = count(2 ** len(comparison.documents), "swap")
        test = f"exact paired randomisation over documents, all {ways}"
    elif settings.test == "randomization":
        samples = count(settings.samples, "sample")
        test = f"paired approximate randomisation over documents, {samples}"
    else:
        test = f"paired bootstrap over documents, {count(settings.samples, 'sample')}"
    return f"{test}, p {_correction(comparison)}, * p ≤ {settings.alpha:g}"


def _correction(comparison: Comparison) -> str:
    """How p was adjusted, and for how many tests."""
    settings = comparison.settings
    family = count(len(comparison.pairs), "pair")
    if settings.family == "all":
        family += f" and {count(len(comparison.titles), 'measure')}"
    words = _CORRECTIONS[settings.correction]
    return words if settings.correction == "none" else f"{words} for {family}"


def marks_explained(comparison: Comparison) -> str:
    """What the letters above a score say; nothing where there are none."""
    if len(comparison.systems) < 2:
        return ""
    if not comparison.is_tested:
        return cited_test(comparison).capitalize() + "."
    test = cited_test(comparison).replace("* p", "p")
    return (
        f"Letters after a score: significantly better than the systems of these letters ({test})."
    )


def few_documents(comparison: Comparison) -> tuple[str, ...]:
    """A warning where there are too few documents for the test to be of use."""
    documents, settings = len(comparison.documents), comparison.settings
    if documents < 2:
        return ()
    if settings.test == "bootstrap" and documents < _ENOUGH:
        return (
            f"With {count(documents, 'document')} the bootstrap finds differences too easily: "
            "use --test randomization.",
        )
    least = 2.0 ** (1 - documents)
    if settings.test == "randomization" and least > settings.alpha:
        return (f"With {count(documents, 'document')} no p can be less than {least:g}.",)
    return ()
