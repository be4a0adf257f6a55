"""The form that starts a run."""

from collections.abc import Mapping, Sequence
from re import split
from typing import TYPE_CHECKING

import msgspec

from corefbench.errors import UsageError
from corefbench.records import Record

if TYPE_CHECKING:
    from corefbench.bench.plan import Plan

RUN_KINDS = {"bench": "Compare resolvers", "score": "Score files"}
CORPUS_SOURCES = ("bundled", "dataset", "upload", "path")


class RunForm(Record, frozen=True):
    """The fields of the form, named as in the page and in stored jobs."""

    kind: str = "bench"
    """``bench`` compares resolvers on a corpus, ``score`` scores files against a key."""
    name: str = ""
    """The name of the run; empty for the name of its corpus."""
    corpus: str = "bundled"
    """Where the corpus, or the key, comes from: one of ``CORPUS_SOURCES``: a dataset …"""
    dataset: str = ""
    kept: str = ""
    """… an upload, by its name in the workbench …"""
    path: str = ""
    """… or a file or folder of this machine."""
    responses_kept: tuple[str, ...] = ()
    responses_path: str = ""
    """Files of this machine, one per line."""
    format: str = ""
    lenient: bool = False
    mode: str = "automatic"
    preprocess: str = ""
    pipeline: str = ""
    """A preprocessor that was typed in, such as ``spacy:en_core_web_md``."""
    resolvers: tuple[str, ...] = ()
    further: str = ""
    """Resolvers that were typed in, with their parameters."""
    mentions: str = ""
    match: str = "head"
    cataphora: bool = False
    profile: str = "conll-2012"
    processes: int = 1

    def chosen_resolvers(self) -> tuple[str, ...]:
        """Return all resolvers, each once.

        >>> form = RunForm(resolvers=("mitkov",), further="random(seed=1,window=2), mitkov")
        >>> form.chosen_resolvers()
        ('mitkov', 'random(seed=1,window=2)')
        """
        typed = split(r"[,\n](?![^()]*\))", self.further)
        return tuple(dict.fromkeys(filter(None, (n.strip() for n in (*self.resolvers, *typed)))))

    def plan(self) -> "Plan":
        """Return the plan of a comparison, not yet checked."""
        from corefbench.bench.plan import Plan

        return Plan(
            resolvers=self.chosen_resolvers(),
            mode=self.mode,  # type: ignore[arg-type]
            preprocess=self.pipeline.strip() or self.preprocess,
            mentions=self.mentions,  # type: ignore[arg-type]
            match=self.match,  # type: ignore[arg-type]
            cataphora=self.cataphora,
            profile=self.profile,
        )


def parse_form(values: Mapping[str, Sequence[str]]) -> RunForm:
    """Parse lists of values by name; unknown names are ignored.

    >>> parse_form({"mode": ["annotated"], "resolvers": ["mitkov", "hobbs"]}).resolvers
    ('mitkov', 'hobbs')
    """
    lists = {"resolvers", "responses_kept"}
    known = {name: sent for name, sent in values.items() if name in RunForm.__struct_fields__}
    fields: dict[str, object] = {
        name: list(sent) if name in lists else sent[-1] for name, sent in known.items() if sent
    }
    for name in ("cataphora", "lenient"):
        fields[name] = fields.get(name, "") not in ("", "false")
    try:
        form = msgspec.convert(fields, RunForm, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError("a field of the form cannot be understood", found=str(error)) from error
    if form.kind not in RUN_KINDS or form.corpus not in CORPUS_SOURCES:
        raise UsageError("there is no such choice", found=f"{form.kind}, {form.corpus}")
    return form
