"""The kit finds a pre-processor at fault that breaks a rule, and not the built-in ones."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from corefbench.formats.load import load
from corefbench.preprocess import Input, preprocessors
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import PreprocessorCard
from corefbench.preprocess.pipelines.plain import PlainEnglish
from corefbench.testing import Nonconformance, check_preprocessor

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_the_built_in_rules_keep_the_rules() -> None:
    check_preprocessor(preprocessors["en-words"])


class Mine(PlainEnglish):
    card = PreprocessorCard(name="mine", title="Mine", description="Words.")

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        return map(self.change, super().analyse(inputs))

    def change(self, made: Analysis) -> Analysis:
        return made


def changing(**how):
    class Changing(Mine):
        def change(self, made: Analysis) -> Analysis:
            if len(made.words) < 3:
                return made
            return replace(made, **{name: value(made) for name, value in how.items()})

    return Changing


class Stops(Mine):
    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        return (one for one in super().analyse(inputs) if one.words)


class Nameless(Mine):
    identity = " "


class Forgets(Mine):
    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        for number, one in enumerate(super().analyse(inputs)):
            yield replace(one, lemmas=tuple(f"{word}{number % 2}" for word in one.lemmas))


@pytest.mark.parametrize(
    ("preprocessor", "rule"),
    [
        (Stops, "in step with the inputs"),
        (Nameless, "identity is not empty"),
        (Forgets, "the same in any order"),
        (changing(words=lambda made: ("x", *made.words[1:])), "a word stands at its offsets"),
        (changing(upos=lambda made: made.upos[1:]), "as many upos as words"),
        (changing(text=lambda made: made.text.upper()), "the text is not changed"),
        (changing(sentences=lambda made: made.sentences[:-1]), "sentences cover all words"),
        (changing(heads=lambda made: (1, 0, *made.heads[2:])), "without circles"),
        (changing(heads=lambda made: (999, *made.heads[1:])), "in the same sentence"),
        (changing(headings=lambda made: ()), "as many headings as sentences"),
        (changing(pipeline=lambda made: ""), "names its pipeline"),
        (changing(name=lambda made: "other"), "the name of its input"),
    ],
)
def test_a_preprocessor_that_breaks_a_rule_is_told_which(preprocessor, rule: str) -> None:
    with pytest.raises(Nonconformance, match=rule):
        check_preprocessor(preprocessor)


def test_one_that_reads_annotation_is_checked_on_a_corpus_that_has_it() -> None:
    corpus = load(EXAMPLES / "oracle.conllu")
    check_preprocessor(preprocessors["conllu"], corpus=corpus)
