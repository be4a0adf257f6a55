"""The page of singletons: the study of the analysis, by any profiles."""

import json

import msgspec
import pytest

from corefbench.analysis.singletons import singletons
from corefbench.errors import UnknownName, UsageError
from corefbench.report.studies import singletons_to_dict
from corefbench.web.rendering import encode_json
from corefbench.workbench.storage import Workbench
from tests.unit.runs.samples import KEY, RESPONSES
from tests.unit.workbench.samples import html, page, workbench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return workbench(tmp_path_factory.mktemp("workbench"))


def test_the_twin_is_the_study(bench: Workbench) -> None:
    twin = json.loads(encode_json(page(bench, "singletons", run="scores", response="eager")))
    alone = msgspec.to_builtins(singletons_to_dict(singletons(KEY, RESPONSES["eager"])))
    for profile, settings in alone["results"].items():
        for setting, result in settings.items():
            assert twin["study"]["results"][profile][setting]["scores"] == result["scores"]
    assert twin["explanation"] == list(alone["explanation"])


def test_profiles_and_details_can_be_chosen(bench: Workbench) -> None:
    query = {"run": "scores", "profiles": "conll-2012, ua", "details": "1"}
    some = page(bench, "singletons", **query)
    assert some.model["profiles"] == ("conll-2012", "ua")
    assert "Mentions R" in some.model["tables"]["settings"].headers
    assert 'value="conll-2012, ua"' in html(some)
    assert "<form" not in html(some, live=False)


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({"response": "nobody"}, UnknownName),
        ({"profiles": "conll-1999"}, UnknownName),
        ({"details": "all"}, UsageError),
    ],
)
def test_what_makes_no_sense_is_refused(bench: Workbench, query, error) -> None:
    with pytest.raises(error):
        page(bench, "singletons", **{"run": "scores", **query})
