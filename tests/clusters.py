"""Small examples written as the papers write them: ``clusters("ABC DE")``."""

from corefbench.scoring.measures import Score

Span = tuple[int, int]


def clusters(text: str) -> list[list[Span]]:
    """One chain per word, one mention per letter.

    >>> clusters("AC B")
    [[(0, 0), (2, 2)], [(1, 1)]]
    """
    return [[(ord(letter) - ord("A"), ord(letter) - ord("A")) for letter in word] for word in text.split()]


def percent(score: Score, digits: int = 1) -> tuple[float, float, float]:
    """R, P and F1 in per cent, rounded half up at the last digit as tables are."""
    return tuple(
        int(100 * value * 10**digits + 0.5 + 1e-9) / 10**digits for value in (score.recall, score.precision, score.f1)
    )
