"""What the form of a run says: every field as it was filled in, so that it can be shown again."""

from collections.abc import Mapping, Sequence
from re import split
from typing import TYPE_CHECKING

import msgspec

from corefbench.errors import UsageError
from corefbench.record import Record

if TYPE_CHECKING:
    from corefbench.bench.plan import Plan

KINDS = {"bench": "Compare resolvers", "score": "Score files"}
SOURCES = ("bundled", "dataset", "upload", "path")


class Form(Record, frozen=True):
    """The fields, named as in the page."""

    kind: str = "bench"
    """``bench``: resolvers are compared on a corpus. ``score``: files against a key."""
    name: str = ""
    """What the run is to be called; empty for the name of its corpus."""
    corpus: str = "bundled"
    """Where the corpus, or the key, comes from: one of ``SOURCES`` …"""
    dataset: str = ""
    kept: str = ""
    """… an upload, as ``Workbench.keep_uploads`` calls it …"""
    path: str = ""
    """… or a file or folder of this machine."""
    responses_kept: tuple[str, ...] = ()
    responses_path: str = ""
    """Files of this machine, one a line."""
    format: str = ""
    lenient: bool = False
    mode: str = "automatic"
    preprocess: str = ""
    pipeline: str = ""
    """A pre-processor that is typed, such as ``spacy:en_core_web_md``."""
    resolvers: tuple[str, ...] = ()
    further: str = ""
    """Resolvers that are typed, with their parameters."""
    mentions: str = ""
    match: str = "head"
    cataphora: bool = False
    profile: str = "conll-2012"
    processes: int = 1

    def chosen(self) -> tuple[str, ...]:
        """The resolvers, each once.

        >>> Form(resolvers=("mitkov",), further="random(seed=1,window=2), mitkov").chosen()
        ('mitkov', 'random(seed=1,window=2)')
        """
        typed = split(r"[,\n](?![^()]*\))", self.further)
        return tuple(dict.fromkeys(filter(None, (n.strip() for n in (*self.resolvers, *typed)))))

    def plan(self) -> "Plan":
        """The choices of a comparison; they are checked by ``Plan.check`` and ``run_bench``."""
        from corefbench.bench.plan import Plan

        return Plan(
            resolvers=self.chosen(),
            mode=self.mode,  # type: ignore[arg-type]
            preprocess=self.pipeline.strip() or self.preprocess,
            mentions=self.mentions,  # type: ignore[arg-type]
            match=self.match,  # type: ignore[arg-type]
            cataphora=self.cataphora,
            profile=self.profile,
        )


def form_of(values: Mapping[str, Sequence[str]]) -> Form:
    """The form as it was sent: lists of values by name; unknown names are passed over.

    >>> form_of({"mode": ["annotated"], "resolvers": ["mitkov", "hobbs"]}).resolvers
    ('mitkov', 'hobbs')
    """
    lists = {"resolvers", "responses_kept"}
    known = {name: given for name, given in values.items() if name in Form.__struct_fields__}
    plain: dict[str, object] = {
        name: list(given) if name in lists else given[-1] for name, given in known.items() if given
    }
    for name in ("cataphora", "lenient"):
        plain[name] = plain.get(name, "") not in ("", "false")
    try:
        form = msgspec.convert(plain, Form, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError("a field of the form cannot be understood", found=str(error)) from error
    if form.kind not in KINDS or form.corpus not in SOURCES:
        raise UsageError("there is no such choice", found=f"{form.kind}, {form.corpus}")
    return form
