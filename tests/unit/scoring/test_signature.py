"""The signature says all that a number depends on, and reads back."""

import pytest

import corefbench as cb
from corefbench.scoring.api import verify
from corefbench.scoring.profiles import profiles
from corefbench.scoring.signature import Signature
from tests.conll import conll

KEY = conll("(1)", "(1)", "(2)") + conll("(1)", "-", "(1)", name="e")
RESPONSE = conll("(1)", "(1)", "(3)") + conll("(1)", "(1)", "(1)", name="e")


def signature(key: bytes = KEY, response: bytes = RESPONSE, **choices: str) -> Signature:
    return cb.score(key, response, **choices).signature


def test_it_reads_back() -> None:
    signed = signature()
    assert Signature.parse(str(signed)) == signed


@pytest.mark.parametrize("profile", sorted(set(profiles) - {"corefud"}))
def test_a_score_verifies_by_its_signature(profile: str) -> None:
    result = verify(str(signature(profile=profile)), KEY, RESPONSE)
    assert result.profile.name == profile


@pytest.mark.parametrize(
    "choices",
    [
        {"measures": "muc,blanc(edge=both)"},
        {"scope": "corpus"},
        {"average": "macro"},
        {"profile": "cattan-2021", "singletons": "keep"},
        {"profile": "e2e-python", "singletons": "strip"},
        {"repeats": "last", "twinless": "cai-strube"},
    ],
)
def test_choices_are_verified_too(choices: dict[str, str]) -> None:
    verify(str(signature(**choices)), KEY, RESPONSE)


@pytest.mark.parametrize(
    ("key", "response", "what"), [(KEY, KEY, "response"), (RESPONSE, RESPONSE, "key"), (RESPONSE, KEY, "key")]
)
def test_other_files_do_not_verify(key: bytes, response: bytes, what: str) -> None:
    with pytest.raises(cb.CorefbenchError, match=what) as error:
        verify(str(signature()), key, response)
    assert (error.value.code, error.value.exit_code) == ("CB005", 1)


def test_it_does_not_depend_on_how_the_file_is_laid_out() -> None:
    blanks = KEY.replace(b"\t", b"  ").replace(b"\n", b"\r\n")
    assert signature(key=blanks).key == signature().key


@pytest.mark.parametrize(
    "other",
    [
        KEY.replace(b"(2)", b"(1)"),
        KEY.replace(b"(e)", b"(f)"),
        KEY.replace(b"\t(2)", b"\t-"),
        KEY + conll("-", name="more"),
    ],
    ids=["chain", "name", "mention", "document"],
)
def test_it_depends_on_what_the_file_says(other: bytes) -> None:
    assert signature(key=other).key != signature().key


def test_names_of_chains_do_not_matter() -> None:
    assert signature(key=KEY.replace(b"(2)", b"(77)")).key == signature().key


def test_chains_that_labels_join_across_documents_matter_where_they_are_scored() -> None:
    """Label 1 is one entity in two documents; with a label 4 in its place it is two."""
    apart = conll("(1)", "(1)", "(3)") + conll("(4)", "(4)", "(4)", name="e")
    assert signature(response=apart).response == signature().response
    wide = signature(scope="corpus"), signature(response=apart, scope="corpus")
    assert wide[0].response != wide[1].response


def test_what_is_no_signature_is_a_coded_error() -> None:
    for text in ("", "conll-2012", "conll-2012|match:exact"):
        with pytest.raises(cb.UsageError) as error:
            Signature.parse(text)
        assert error.value.code == "CB007"
