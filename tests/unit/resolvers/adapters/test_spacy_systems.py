"""The systems on spaCy: real pipelines and documents, with components that imitate the systems'."""

from pathlib import Path

import pytest

from corefbench.errors import DataError, MissingSystem
from corefbench.resolvers.adapters.third_party import Coreferee, SpacyCoref
from tests.trees import discourse
from tests.unit.resolvers.adapters.environments import chains, import_from, install

spacy = pytest.importorskip("spacy")

EXPERIMENTAL = """
from spacy.language import Language

@Language.component("experimental_coref")
def coref(doc):
    spans = [doc[t.i : t.i + 1] for t in doc if t.text in ("Ann", "She")]
    doc.spans["coref_clusters_1"] = spans
    doc.spans["coref_head_clusters_1"] = [doc[0:1]]
    doc.spans["other"] = [doc[0:2]]
    return doc
"""

COREFEREE = """
from types import SimpleNamespace as Made
from spacy.language import Language
from spacy.tokens import Doc
import coreferee_errors

Doc.set_extension("coref_chains", default=None, force=True)

class Annotator:
    def annotate(self, doc):
        if "fail" in doc.text:
            raise KeyError("feature table")
        heads = {t.text: t.i for t in doc}
        groups = [[[heads["dog"]], [heads["It"]]]]
        if "They" in heads:
            groups.append([[heads["cat"], heads["dog"]], [heads["They"]]])
        doc._.coref_chains = [[Made(token_indexes=m) for m in group] for group in groups]

@Language.factory("coreferee")
class Broker:
    def __init__(self, nlp, name):
        if nlp.meta["name"] == "other":
            raise coreferee_errors.ModelNotSupportedError("not supported by Coreferee")
        self.annotator = Annotator()
    def __call__(self, doc):
        try:
            self.annotator.annotate(doc)
        except Exception:
            print("Unexpected error in Coreferee annotating document, skipping")
        return doc
"""

ERRORS = """
class CorefereeError(Exception): pass
class ModelNotSupportedError(CorefereeError): pass
"""

ANN = """
Ann Ann PROPN NNP 2 nsubj
slept sleep VERB VBD 0 root
. . PUNCT . 2 punct

She she PRON PRP 2 nsubj
dreamt dream VERB VBD 0 root
"""

DOG = """
A a DET DT 2 det
cat cat NOUN NN 7 nsubj
and and CCONJ CC 6 cc
the the DET DT 6 det
old old ADJ JJ 6 amod
dog dog NOUN NN 2 conj
slept sleep VERB VBD 0 root

It it PRON PRP 2 nsubj
barked bark VERB VBD 0 root

They they PRON PRP 2 nsubj
ran run VERB VBD 0 root
"""


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "spacy_experimental", EXPERIMENTAL, package="spacy-experimental", version="0.6.4")
    folder = tmp_path / "coreferee"
    folder.mkdir()
    install(tmp_path, "coreferee_errors", ERRORS)
    install(tmp_path, "coreferee/__init__", COREFEREE)
    install(tmp_path, "coreferee/errors", "from coreferee_errors import *")
    names = ("spacy_experimental", "coreferee", "coreferee.errors", "coreferee_errors")
    import_from(monkeypatch, tmp_path, *names)


def pipeline(folder: Path, name: str = "test", *components: str) -> str:
    """A pipeline on disk."""
    made = spacy.blank("en")
    made.meta["name"], made.meta["version"] = name, "1.0"
    for component in components:
        made.add_pipe(component)
    made.to_disk(folder / name)
    return str(folder / name)


@pytest.mark.parametrize("sends", ["tokens", "text"])
def test_the_span_groups_of_chains_are_read_and_no_others(tmp_path: Path, sends: str) -> None:
    import spacy_experimental  # noqa: F401

    model = pipeline(tmp_path, "test", "experimental_coref")
    resolution = SpacyCoref(model=model, sends=sends).resolve(discourse(ANN))
    assert chains(resolution) == [["Ann", "She"]]
    assert not resolution.findings
    assert resolution.resolver.endswith("version=0.6.4+en_test-1.0)")


def test_heads_become_phrases_and_coordinations(tmp_path: Path) -> None:
    made = discourse(DOG)
    for sends in ("tokens", "text"):
        found = chains(Coreferee(model=pipeline(tmp_path), sends=sends).resolve(made))
        assert sorted(found) == [["A cat and the old dog", "They"], ["the old dog", "It"]]


def test_the_phrases_are_those_of_the_key_in_annotated_mode(tmp_path: Path) -> None:
    made = discourse(DOG.replace("They they", "We we"), [(4, 6, 5), (7, 8, 7)])
    found = chains(Coreferee(model=pipeline(tmp_path)).resolve(made))
    assert found == [["old dog", "It"]]


def test_an_error_that_the_component_would_swallow_is_raised(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="KeyError: 'feature table'"):
        Coreferee(model=pipeline(tmp_path)).resolve(discourse(DOG.replace("ran", "fail")))


def test_missing_pipelines_and_models_are_answered_with_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(MissingSystem, match="spacy download en_nowhere"):
        Coreferee(model="en_nowhere").resolve(discourse(DOG))
    with pytest.raises(MissingSystem, match="coreferee install en"):
        Coreferee(model=pipeline(tmp_path, "other")).resolve(discourse(DOG))
    with pytest.raises(MissingSystem, match=r"en_coreference_web_trf-3\.4\.0a2"):
        SpacyCoref().resolve(discourse(DOG))
