"""The JSON interface under requests that nobody would send: schemathesis makes them.

Every request is made from the OpenAPI document, by it or against it, with a token of somebody or
of nobody. No answer may be a server error; every status must be one that the document has, and
every refusal carries a code.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.downloads import Download
from corefbench.campaign.storage.submissions import Submission
from corefbench.campaign.views.api_docs import openapi_document
from corefbench.campaign.views.app import create_app
from corefbench.errors import CODES
from tests.campaign import answers, download, enter, score, submit
from tests.campaign_visits import Client, connected, organiser, token

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
ORDINARY, THOROUGH = 150, 20_000


def known(platform: Platform) -> tuple[dict[str, list[str]], list[dict[str, str]]]:
    """Values that are there, and the headers of those who ask."""
    own, other = enter(platform, "Ours"), enter(platform, "Theirs")
    sent = submit(platform, own, answers("good", "training"))
    score(platform, 0.5)
    taken = download(platform, own, "training")
    assert isinstance(sent, Submission)
    assert isinstance(taken, Download)
    waiting = submit(platform, other, answers("poor", "training"))
    assert isinstance(waiting, Submission)
    values = {
        "phase": ["training", "test"],
        "task": ["coreference", "links"],
        "submission": [sent.id, waiting.id],
        "download": [taken.id],
    }
    people = (own, other, enter(platform, "Hopeful", approved=False), organiser(platform))
    return values, [{}, *(token(platform, person) for person in people)]


def operations() -> Iterator[Any]:
    for found in schemathesis.openapi.from_dict(deepcopy(openapi_document())).get_all_operations():
        yield found.ok()


def send(client: Client, case: Any, headers: dict[str, str]) -> Any:
    """The request byte by byte as schemathesis means it."""
    import requests

    options = case.as_transport_kwargs(base_url="http://127.0.0.1")
    prepared = requests.Request(**options).prepare()
    body = prepared.body or b""
    content = body.encode() if isinstance(body, str) else bytes(body)
    instead = {"content-length", *(name.lower() for name in headers)}
    kept = {k: v for k, v in prepared.headers.items() if k.lower() not in instead} | headers
    method, url = str(prepared.method), str(prepared.url)
    try:
        return client.request(method, url, headers=kept, content=content)
    except (UnicodeEncodeError, ValueError):
        return None  # no client can send this


def fuzz(platform: Platform, wanted: int) -> Counter[int]:
    """So many requests or more; how often each status came."""
    values, people = known(platform)
    told: Counter[int] = Counter()
    found = list(operations())
    with connected(create_app(platform, worker=0)) as client:
        looks = [looked_at(client, operation, values, people, told) for operation in found]
        while told.total() < wanted:  # some operations have few requests that differ
            for look in looks:
                thoroughly = settings(
                    max_examples=max(wanted // len(found), 10),
                    deadline=None,
                    database=None,
                    derandomize=wanted == ORDINARY,
                    suppress_health_check=list(HealthCheck),
                )
                thoroughly(look())()
    return told


def looked_at(
    client: Client, operation: Any, values: dict[str, list[str]], people: list[dict[str, str]], told: Counter[int]
) -> Callable[[], Callable[[], None]]:
    """Requests for one operation, by its description and against it."""
    from schemathesis.generation import GenerationMode

    by_it = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    against = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    documented = set(openapi_document()["paths"][operation.path][operation.method]["responses"])

    def look(case: Any, headers: dict[str, str], real: int | None) -> None:
        if real is not None:  # most requests are about something that is there
            for name in case.path_parameters or {}:
                case.path_parameters[name] = values[name][real % len(values[name])]
        answer = send(client, case, headers)
        if answer is None:
            return
        told[answer.status_code] += 1
        assert str(answer.status_code) in documented | {"405"}, answer.text
        if answer.status_code >= 400:
            assert answer.json()["error"] in CODES

    given_all = given(
        case=st.one_of(by_it, against), headers=st.sampled_from(people), real=st.sampled_from([0, 0, 1, None])
    )
    return lambda: given_all(look)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_no_request_is_a_server_error(platform: Platform) -> None:
    told = fuzz(platform, ORDINARY)
    assert told.total() >= ORDINARY
    assert {200, 201, 401, 403, 404} <= set(told)


@pytest.mark.slow
def test_no_request_of_very_many_is_a_server_error(platform: Platform) -> None:
    told = fuzz(platform, THOROUGH)
    assert told.total() >= THOROUGH
    assert {200, 201, 401, 403, 404, 409, 422} <= set(told)
