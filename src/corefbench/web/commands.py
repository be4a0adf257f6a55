"""The command lines that bring numbers of a page out again."""

from shlex import join

from corefbench.bench.plan import Plan
from corefbench.runs import Run
from corefbench.web.workbench import ENDING


def file_of(run: str) -> str:
    """The name of the file that a run is taken away as."""
    return f"{run}{ENDING}"


def verify(run: str) -> str:
    """Scores every document of the run anew and compares, bit for bit."""
    return join(["corefbench", "verify", file_of(run)])


def compare(run: str, samples: int, usual: int = 10_000) -> str:
    """Intervals and tests."""
    more = [] if samples == usual else ["--samples", str(samples)]
    return join(["corefbench", "compare", file_of(run), *more])


def made_by(run: Run) -> str:
    """The command that made the run."""
    return join(run.header.command)


def of_response(run: Run, name: str) -> str:
    """One response, from its own files: by the plan of resolvers, or by its signature."""
    key = next((one.name for one in run.header.inputs if one.role == "key"), "CORPUS")
    if run.kind == "bench":
        return join(["corefbench", "bench", key, "--resolvers", name, *_plan(run.bench.plan)])
    signature = next(one.signature for one in run.header.results if one.name == name)
    return join(["corefbench", "verify", signature, key, name])


def _plan(plan: Plan) -> list[str]:
    """The options of ``corefbench bench`` that are not as they are anyway."""
    usual = Plan()
    names = ("mode", "preprocess", "mentions", "match", "profile")
    said = [
        word
        for name in names
        if getattr(plan, name) != getattr(usual, name)
        for word in (f"--{name}", str(getattr(plan, name)))
    ]
    return [*said, "--cataphora"] if plan.cataphora else said
