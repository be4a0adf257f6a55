"""One small example under every profile: key ABC DE, response BC ADE, with Y in the response or X
in the key. The figures are those of the original programs."""

import pytest

import corefbench as cb
from corefbench.scoring.profiles import profiles
from tests.clusters import clusters, percent

EXAMPLES = {"base": ("ABC DE", "BC ADE"), "+Y": ("ABC DE", "BC ADE Y"), "+X": ("ABC DE X", "BC ADE")}
COLUMNS = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")
SAME = "100/100/100 66.7 73.3 80 80 58.3"
ROWS = {
    **{("base", profile): SAME for profile in ("semeval-2010", "conll-2011", "conll-v5", "conll-2012", "conll-v9")},
    ("base", "conll-v7"): "100/100/100 66.7 73.3 80 80 -",
    ("base", "e2e-python"): "- 66.7 73.3 - 80 -",
    ("base", "coval-keep"): "100/100/100 66.7 73.3 - 80 -",
    ("base", "coval-remove"): "100/100/100 66.7 73.3 - 80 -",
    ("base", "cattan-2021"): "100/100/100 66.7 73.3 - 80 -",
    ("base", "ua"): SAME,
    ("base", "cai-strube"): "100/100/100 - 73.3 80 80 -",
    ("base", "rahman-ng"): "100/100/100 - 73.3 80 80 -",
    ("base", "stoyanov-all"): "100/100/100 - 73.3 - - -",
    ("base", "stoyanov-0"): "100/100/100 - 73.3 - - -",
    ("+Y", "semeval-2010"): "100/83.3/90.9 66.7 73.3/61.1/66.7 80/66.7/72.7 80/53.3/64 51.8/52.3/49.8",
    ("+Y", "conll-2011"): "100/83.3/90.9 66.7 73.3 80 80 58.3",
    ("+Y", "conll-v5"): "100/83.3/90.9 66.7 73.3 80 80 58.3",
    ("+Y", "conll-2012"): "100/83.3/90.9 66.7 73.3/61.1/66.7 80/66.7/72.7 80/53.3/64 58.3/43.2/48.5",
    ("+Y", "conll-v9"): "100/83.3/90.9 66.7 73.3/61.1/66.7 80/66.7/72.7 80/53.3/64 58.3/43.2/48.5",
    ("+Y", "conll-v7"): "100/83.3/90.9 66.7 73.3/61.1/66.7 80/66.7/72.7 80/53.3/64 -",
    ("+Y", "e2e-python"): "- 66.7 73.3 - 80 -",
    ("+X", "semeval-2010"): "83.3/100/90.9 66.7 61.1/73.3/66.7 66.7/80/72.7 53.3/80/64 58.3",
    ("+X", "conll-2011"): "83.3/100/90.9 66.7 77.8 83.3 86.7 65.9",
    ("+X", "conll-v5"): "83.3/100/90.9 66.7 77.8 83.3 86.7 65.9",
    ("+X", "conll-2012"): "83.3/100/90.9 66.7 61.1/73.3/66.7 66.7/80/72.7 53.3/80/64 43.2/58.3/48.5",
    ("+X", "conll-v9"): "83.3/100/90.9 66.7 61.1/73.3/66.7 66.7/80/72.7 53.3/80/64 43.2/58.3/48.5",
    ("+X", "conll-v7"): "83.3/100/90.9 66.7 61.1/73.3/66.7 66.7/80/72.7 53.3/80/64 -",
    ("+X", "e2e-python"): "- 66.7 73.3 - 53.3/80/64 -",
}


@pytest.mark.parametrize(("example", "profile"), ROWS)
def test_row_comes_out(example: str, profile: str) -> None:
    key, response = map(clusters, EXAMPLES[example])
    result = cb.score_clusters(key, response, profile=profile)
    for name, cell in zip(COLUMNS, ROWS[example, profile].split(), strict=True):
        if cell == "-":
            assert name not in result.tallies
        else:
            values = [float(value) for value in cell.split("/")]
            assert percent(result[name]) == tuple(values if len(values) > 1 else values * 3), name


def test_every_profile_of_exact_spans_is_in_the_table() -> None:
    known = {profile for _, profile in ROWS}
    assert {*profiles} - known == {"corefud"}  # which matches heads, tested elsewhere
