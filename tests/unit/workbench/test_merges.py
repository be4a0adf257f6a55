"""Merges: kept whole, the same as in a terminal, and taken away in any format."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from corefbench.analysis.annotation.agreement import agreement
from corefbench.analysis.annotation.merge import merge
from corefbench.errors import UnknownName, UsageError
from corefbench.formats.load import load
from corefbench.report.annotation import agreement_to_dict
from corefbench.web.rendering import encode_json
from corefbench.workbench.storage import Workbench
from corefbench.workbench.stored_merges import (
    MAX_ANNOTATION_BYTES,
    MergeOptions,
    agreement_result,
    create_merge,
    list_merges,
    merge_result,
)
from tests.unit.runs.samples import NOON, RESPONSES
from tests.unit.workbench.samples import connect, html, page

ANNOTATIONS = {path.name: path for path in RESPONSES.values()}
SENT = [("files", (name, path.read_bytes())) for name, path in ANNOTATIONS.items()]


@pytest.fixture
def bench(tmp_path) -> Workbench:
    return Workbench(tmp_path)


@pytest.fixture
def client(bench: Workbench):
    with connect(bench) as client:
        client.follow_redirects = False
        yield client


def test_without_a_merge_the_page_teaches(bench: Workbench) -> None:
    text = html(page(bench, "merges"))
    assert "What you get" in text
    assert 'enctype="multipart/form-data"' in text


def test_files_that_are_sent_become_a_merge_with_an_address(client, bench: Workbench) -> None:
    answer = client.post("/merge", files=SENT)
    assert answer.status_code == 303
    shown = client.get(answer.headers["location"])
    assert shown.status_code == 200
    assert "Merge of cautious.response.conll, eager.response.conll and steady" in shown.text
    assert client.post("/merge", files=SENT).headers["location"] == answer.headers["location"]
    assert len(list_merges(bench)) == 1


def test_numbers_are_those_of_the_analysis(bench: Workbench) -> None:
    name = create_merge(bench, ANNOTATIONS, MergeOptions(), created=NOON)
    twin = json.loads(encode_json(page(bench, "merge", merge=name)))
    alone, agreed = merge(ANNOTATIONS), agreement(ANNOTATIONS)
    assert twin["mentions"] == len(alone.corpus.mentions)
    assert twin["chains"] == len(alone.corpus.chains)
    assert twin["found"] == len(alone.conflicts)
    assert twin["agreement"]["mean"] == agreement_to_dict(agreed)["mean"]
    assert twin["agreement"]["alpha"] == agreed.alphas


def test_every_disagreement_is_shown_in_its_text_with_what_everyone_says(bench: Workbench) -> None:
    name = create_merge(bench, ANNOTATIONS, MergeOptions(), created=NOON)
    conflicts = merge(ANNOTATIONS).conflicts
    seen = []
    pages = page(bench, "merge", merge=name).model["pages"]
    for number in range(1, pages + 1):
        seen += page(bench, "merge", merge=name, page=str(number)).model["disagreements"]
    assert [shown["number"] for shown in seen] == [conflict.number for conflict in conflicts]
    for shown in seen:
        assert shown["sentences"]
        assert any(segment["piece"] for sentence in shown["sentences"] for segment in sentence)
        assert [statement["annotator"] for statement in shown["says"]] == list(ANNOTATIONS)


def test_the_merged_annotation_is_taken_away_in_any_format(client) -> None:
    where = client.post("/merge", files=SENT).headers["location"]
    alone = merge(ANNOTATIONS).corpus
    for name in ("conll", "corefud", "jsonlines"):
        answer = client.get(f"{where}/export/corpus", params={"format": name})
        assert answer.headers["content-disposition"].startswith('attachment; filename="merged.')
        again = load(answer.content, format=name)
        assert len(again.mentions) == len(alone.mentions)
    assert client.get(f"{where}/export/corpus", params={"format": "exe"}).status_code == 404


def test_answers_of_a_person_are_given_back_and_beat_the_rule(client, bench: Workbench) -> None:
    where = client.post("/merge", files=SENT).headers["location"]
    asked = client.get(f"{where}/export/conflicts").text
    answered = asked.replace("decision: ?", "decision: drop", 1)
    assert answered != asked
    answer = client.post(f"{where}/decisions", files={"decisions": ("x.txt", answered.encode())})
    assert answer.status_code == 303
    assert answer.headers["location"] != where
    name = answer.headers["location"].rpartition("/")[2]
    model = page(bench, "merge", merge=name).model
    assert model["decided"]
    assert [shown["decision"] for shown in model["disagreements"] if shown["decision"]] == ["drop"]


def test_paths_and_folders_of_this_machine_can_be_given(client, tmp_path) -> None:
    folder = tmp_path / "annotator"
    folder.mkdir()
    (folder / "a.conll").write_bytes(RESPONSES["eager"].read_bytes())
    paths = f"{RESPONSES['cautious']}\n{folder}\n"
    answer = client.post("/merge", data={"paths": paths}, files=[("files", ("", b""))])
    assert answer.status_code == 303, answer.text
    assert "annotator" in client.get(answer.headers["location"]).text


def test_an_adjudicated_annotation_adds_quality(client) -> None:
    from tests.unit.runs.samples import KEY

    answer = client.post("/merge", files=[*SENT, ("key", ("key.conll", KEY.read_bytes()))])
    assert "Annotation quality" in client.get(answer.headers["location"]).text


def test_two_files_of_one_name_are_two_annotators(client) -> None:
    both = [("files", ("a.conll", path.read_bytes())) for path in list(RESPONSES.values())[:2]]
    answer = client.post("/merge", files=both)
    assert "a.conll (2)" in client.get(answer.headers["location"]).text


def test_what_does_not_belong_together_is_said_in_the_form_and_not_kept(client, bench: Workbench) -> None:
    other = b"#begin document (a); part 000\na 0 0 Ann (1)\n#end document\n"
    answer = client.post("/merge", files=[SENT[0], ("files", ("other.conll", other))])
    assert answer.status_code == 422
    assert "CB20" in answer.text
    assert 'role="alert"' in answer.text
    assert list((bench.folder / "merges").iterdir()) == []


@pytest.mark.parametrize(
    "sent",
    [
        {"paths": ""},
        {"paths": "/no/such/file\n/nor/this"},
        {"paths": "/dev/zero\n/dev/zero"},
        {"rule": "by lot", "paths": f"{RESPONSES['eager']}\n{RESPONSES['steady']}"},
        {"links": "most", "paths": f"{RESPONSES['eager']}\n{RESPONSES['steady']}"},
        {"scope": "galaxy", "paths": f"{RESPONSES['eager']}\n{RESPONSES['steady']}"},
    ],
)
def test_what_makes_no_sense_is_refused_with_a_code(client, bench: Workbench, sent) -> None:
    answer = client.post("/merge", data=sent, files=[("files", ("", b""))])
    assert answer.status_code == 422
    assert "CB0" in answer.text
    assert list((bench.folder / "merges").iterdir()) == []


def test_an_annotation_that_is_too_large_is_refused(bench: Workbench, tmp_path) -> None:
    path = tmp_path / "large.conll"
    with open(path, "wb") as stream:
        stream.truncate(MAX_ANNOTATION_BYTES + 1)
    from corefbench.errors import DataError

    with pytest.raises(DataError, match="CB120"):
        create_merge(bench, {"a": path, "b": path}, MergeOptions(), created=NOON)


@pytest.mark.parametrize("name", ["nothing", "..", "0123456789ab", "../../etc"])
def test_a_merge_that_is_not_there_is_not_found(bench: Workbench, name: str) -> None:
    with pytest.raises(UnknownName):
        page(bench, "merge", merge=name)


@pytest.mark.parametrize(
    ("query", "error"), [({"kind": "colour"}, UnknownName), ({"page": "99"}, UsageError), ({"page": "x"}, UsageError)]
)
def test_a_list_that_makes_no_sense_is_refused(bench: Workbench, query, error) -> None:
    name = create_merge(bench, ANNOTATIONS, MergeOptions(), created=NOON)
    with pytest.raises(error):
        page(bench, "merge", merge=name, **query)


def test_words_of_strangers_are_only_text(client) -> None:
    text = "#begin document (<b>); part 000\na 0 0 <script> {}\na 0 1 x (1)\n#end document\n"
    both = [("files", (f"<i>{mark}.conll", text.format(mark).encode())) for mark in ("(1)", "-")]
    shown = client.get(client.post("/merge", files=both).headers["location"]).text
    assert "<script> " not in shown
    assert "<i>" not in shown


def test_the_same_merge_may_be_sent_many_times_at_once(bench: Workbench) -> None:
    with ThreadPoolExecutor(6) as pool:
        names = list(pool.map(lambda _: create_merge(bench, ANNOTATIONS, MergeOptions(), created=NOON), range(6)))
    assert len(set(names)) == 1
    assert [path.name for path in (bench.folder / "merges").iterdir()] == names[:1]


def test_file_names_that_no_file_system_takes_are_cut(client) -> None:
    contents = [path.read_bytes() for path in ANNOTATIONS.values()]
    files = [("files", (f"{'語' * 200}{number}.conll", content)) for number, content in enumerate(contents)]
    answer = client.post("/merge", files=files)
    assert answer.status_code == 303
    assert client.get(answer.headers["location"]).status_code == 200


def test_a_new_merge_is_computed_once(client) -> None:
    merge_result.cache_clear()
    agreement_result.cache_clear()
    assert client.get(client.post("/merge", files=SENT).headers["location"]).status_code == 200
    assert (merge_result.cache_info().misses, agreement_result.cache_info().misses) == (1, 1)
