"""corefbench: an evaluation workbench for coreference and anaphora resolution.

Names are imported when they are first used, so that ``import corefbench`` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from corefbench.version import __version__

if TYPE_CHECKING:
    from corefbench.bench.plan import Plan
    from corefbench.bench.result import Bench
    from corefbench.bench.run import run_bench
    from corefbench.errors import CorefbenchError, DataError, FormatError, UsageError
    from corefbench.findings import Finding
    from corefbench.formats.load import load, stream
    from corefbench.measures import Score
    from corefbench.model.corpus import Corpus
    from corefbench.profiles import Profile
    from corefbench.resolvers import Resolution
    from corefbench.resolvers import make as resolver
    from corefbench.resolvers.resolve import read_text
    from corefbench.scoring.api import Scorer, score, score_clusters
    from corefbench.scoring.result import Result
    from corefbench.scoring.signature import Signature

_PLACES = {
    "Bench": "corefbench.bench.result",
    "Plan": "corefbench.bench.plan",
    "run_bench": "corefbench.bench.run",
    "CorefbenchError": "corefbench.errors",
    "DataError": "corefbench.errors",
    "FormatError": "corefbench.errors",
    "UsageError": "corefbench.errors",
    "Finding": "corefbench.findings",
    "load": "corefbench.formats.load",
    "stream": "corefbench.formats.load",
    "Score": "corefbench.measures",
    "Corpus": "corefbench.model.corpus",
    "Profile": "corefbench.profiles",
    "Resolution": "corefbench.resolvers",
    "resolver": "corefbench.resolvers:make",
    "read_text": "corefbench.resolvers.resolve",
    "Scorer": "corefbench.scoring.api",
    "score": "corefbench.scoring.api",
    "score_clusters": "corefbench.scoring.api",
    "Result": "corefbench.scoring.result",
    "Signature": "corefbench.scoring.signature",
}

__all__ = [
    "Bench",
    "CorefbenchError",
    "Corpus",
    "DataError",
    "Finding",
    "FormatError",
    "Plan",
    "Profile",
    "Resolution",
    "Result",
    "Score",
    "Scorer",
    "Signature",
    "UsageError",
    "__version__",
    "load",
    "read_text",
    "resolver",
    "run_bench",
    "score",
    "score_clusters",
    "stream",
]


def __getattr__(name: str) -> Any:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module 'corefbench' has no attribute {name!r}")
    module, _, other = place.partition(":")
    return getattr(import_module(module), other or name)


def __dir__() -> list[str]:
    return __all__
