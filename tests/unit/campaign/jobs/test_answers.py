"""Uploads in every packing that is taken give the same answers."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from corefbench.campaign.jobs.answers import UploadBudget, check_answers, read_answers
from corefbench.campaign.storage.files import clean_file_name
from corefbench.errors import DataError
from tests.campaign import answers
from tests.conll import conll


def zipped(*files: tuple[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", packing) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.fixture
def upload(tmp_path: Path):
    def put(content: bytes) -> Path:
        path = tmp_path / "upload"
        path.write_bytes(content)
        return path

    return put


def refusal(path: Path, name: str = "a.conll", budget: UploadBudget = UploadBudget()) -> DataError:
    with pytest.raises(DataError) as caught:
        read_answers(path, name, budget)
    return caught.value


def test_plain_gzip_and_zip_give_the_same_answers(upload):
    plain = answers("good")
    packings = [plain, gzip.compress(plain), zipped(("a.conll", plain))]
    found = [read_answers(upload(content), "a.conll") for content in packings]
    assert {len(corpus.mentions) for corpus in found} == {30}
    assert len({corpus.documents.labels() for corpus in found}) == 1


def test_a_zip_archive_of_several_files_is_one_corpus_in_the_order_of_names(upload):
    files = [(f"run/{name}.conll", conll("(1)", "(1)", name=name)) for name in "bca"]
    corpus = read_answers(upload(zipped(*files)), "run.zip")
    assert corpus.documents.labels() == ("a_0", "b_0", "c_0")


def test_what_a_desktop_puts_into_archives_is_left_out(upload):
    content = zipped(
        ("a.conll", conll("(1)", "(1)")),
        ("__MACOSX/._a.conll", b"\0\5\x16\7"),
        (".DS_Store", b"\0\0\0\1Bud1"),
        ("folder/", b""),
    )
    assert len(read_answers(upload(content), "a.zip").documents) == 1


def test_stand_off_annotation_finds_its_text_inside_the_archive(upload):
    annotation = b"T1\tPER 0 3\tAnn\nT2\tPER 8 11\ther\nR1\tCoref Arg1:T2 Arg2:T1\n"
    content = zipped(("x/a.ann", annotation), ("x/a.txt", b"Ann saw her dog.\n"))
    corpus = read_answers(upload(content), "a.zip", format="brat")
    assert len(corpus.mentions) == 2


def test_the_check_says_what_the_check_of_files_says(upload):
    broken = b"#begin document (a);\nAnn (1)\nleft 1)\n\n#end document\n"
    for content in (broken, gzip.compress(broken), zipped(("x.conll", broken))):
        found = check_answers(upload(content), "x.conll")
        assert [(f.code, f.severity) for f in found] == [("CB104", "error"), ("CB153", "note")]


def test_bytes_are_counted_as_they_are_unpacked(upload):
    small = UploadBudget(unpacked=1 << 20, unsuspected=1 << 20)
    for content in (gzip.compress(bytes(2 << 20)), zipped(("a.conll", bytes(2 << 20)))):
        assert refusal(upload(content), budget=small).code == "CB309"


def test_the_bytes_of_all_files_together_count(upload):
    small = UploadBudget(unpacked=1 << 20)
    files = [(f"{number}.conll", b"x\n" * (1 << 18)) for number in range(3)]
    assert refusal(upload(zipped(*files)), budget=small).code == "CB309"


def test_what_unpacks_to_suspiciously_much_is_refused_before_the_budget_is_reached(upload):
    error = refusal(upload(gzip.compress(bytes(40 << 20))))
    assert error.code == "CB309"
    assert "suspiciously" in error.message


def test_uploads_beyond_the_budget_are_refused(upload):
    assert refusal(upload(bytes(1_001)), budget=UploadBudget(packed=1_000)).code == "CB309"


def test_archives_with_too_many_files_are_refused(upload):
    many = zipped(*((f"{number}.conll", b"x") for number in range(12)))
    assert refusal(upload(many), budget=UploadBudget(files=11)).code == "CB309"


def test_lines_that_are_too_long_are_refused_with_their_number(upload):
    content = b"#begin document (a);\n\n" + b"x" * 1_001 + b"\n"
    error = refusal(upload(content), budget=UploadBudget(line=1_000))
    assert (error.code, error.place.line) == ("CB309", 3)
    assert check_answers(upload(content[:1_000]), "a", UploadBudget(line=1_000))[0].code != "CB309"


@pytest.mark.parametrize("length", [999, 1_000])
def test_lines_as_long_as_they_may_be_are_taken(upload, length):
    content = b"#begin document (a); part 0\na 0 0 " + b"x" * (length - 10) + b" (1)\n"
    assert check_answers(upload(content), "a", UploadBudget(line=1_000))[0].code != "CB309"


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("run.conll", "run.conll"),
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\y.conll", "y.conll"),
        ("a\r\nb.conll", "ab.conll"),
        ("..", "answers"),
        ("", "answers"),
        ("x" * 300, "x" * 100),
    ],
)
def test_names_of_uploads_are_shown_without_folders_and_invisible_signs(sent, shown):
    assert clean_file_name(sent) == shown
