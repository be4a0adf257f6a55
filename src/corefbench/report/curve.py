"""A learning curve as a table."""

from corefbench.report.table import Table, percent
from corefbench.training.curve import Curve


def curve_table(curve: Curve) -> Table:
    """A row a share of the training data."""
    names = list(dict.fromkeys(name for point in curve.points for name in point.scores))
    return Table(
        caption=f"Learning curve of {curve.kind}, seed {curve.seed}",
        headers=("Share", "Documents", "Tokens", *names, "OOV", "Rare"),
        rows=tuple(
            (
                f"{point.share:g}",
                str(point.documents),
                str(point.tokens),
                *(percent(point.scores.get(name, 0.0)) for name in names),
                percent(point.unknown),
                percent(point.rare),
            )
            for point in curve.points
        ),
        notes=(
            "CoNLL F1 on development data; OOV: development words that training lacks; "
            "Rare: those it has fewer than 10 times.",
        ),
    )
