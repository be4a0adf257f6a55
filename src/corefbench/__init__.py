"""corefbench: an evaluation workbench for coreference and anaphora resolution.

Names are imported when they are first used, so that ``import corefbench`` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from corefbench.version import __version__

if TYPE_CHECKING:
    from corefbench.analysis.annotation import Agreement, Merge, agreement, merge
    from corefbench.analysis.comparison import Comparison, compare
    from corefbench.analysis.deduplicate import Deduplication, deduplicate
    from corefbench.analysis.errors.analysis import ErrorAnalysis, error_analysis
    from corefbench.analysis.levels.study import LevelStudy, levels
    from corefbench.analysis.oracle.study import Oracle, oracle
    from corefbench.analysis.singletons.study import SingletonStudy, singletons
    from corefbench.bench.plan import Plan
    from corefbench.bench.result import Bench
    from corefbench.bench.run import run_bench
    from corefbench.errors import CorefbenchError, DataError, FormatError, UsageError
    from corefbench.experiments import Reproduction, reproduce
    from corefbench.findings import Finding
    from corefbench.formats.load import load, stream
    from corefbench.measures import Score
    from corefbench.model.corpus import Corpus
    from corefbench.profiles import Profile
    from corefbench.report.notebook import render
    from corefbench.resolvers import Resolution
    from corefbench.resolvers import make as resolver
    from corefbench.resolvers.resolve import read_text
    from corefbench.runs import Run, open_run, save_run
    from corefbench.scoring.api import Scorer, score, score_clusters
    from corefbench.scoring.result import Result
    from corefbench.scoring.signature import Signature

_PLACES = {
    "Agreement": "corefbench.analysis.annotation.agreement",
    "agreement": "corefbench.analysis.annotation.agreement",
    "Merge": "corefbench.analysis.annotation.merge",
    "merge": "corefbench.analysis.annotation.merge",
    "Comparison": "corefbench.analysis.comparison",
    "compare": "corefbench.analysis.comparison",
    "Deduplication": "corefbench.analysis.deduplicate.api",
    "deduplicate": "corefbench.analysis.deduplicate.api",
    "ErrorAnalysis": "corefbench.analysis.errors.analysis",
    "error_analysis": "corefbench.analysis.errors.analysis",
    "LevelStudy": "corefbench.analysis.levels.study",
    "levels": "corefbench.analysis.levels.study",
    "Oracle": "corefbench.analysis.oracle.study",
    "oracle": "corefbench.analysis.oracle.study",
    "SingletonStudy": "corefbench.analysis.singletons.study",
    "singletons": "corefbench.analysis.singletons.study",
    "Bench": "corefbench.bench.result",
    "Plan": "corefbench.bench.plan",
    "run_bench": "corefbench.bench.run",
    "CorefbenchError": "corefbench.errors",
    "DataError": "corefbench.errors",
    "FormatError": "corefbench.errors",
    "UsageError": "corefbench.errors",
    "Reproduction": "corefbench.experiments",
    "reproduce": "corefbench.experiments",
    "Finding": "corefbench.findings",
    "load": "corefbench.formats.load",
    "stream": "corefbench.formats.load",
    "Score": "corefbench.measures",
    "Corpus": "corefbench.model.corpus",
    "Profile": "corefbench.profiles",
    "render": "corefbench.report.notebook",
    "Resolution": "corefbench.resolvers",
    "resolver": "corefbench.resolvers:make",
    "read_text": "corefbench.resolvers.resolve",
    "Run": "corefbench.runs",
    "open_run": "corefbench.runs",
    "save_run": "corefbench.runs",
    "Scorer": "corefbench.scoring.api",
    "score": "corefbench.scoring.api",
    "score_clusters": "corefbench.scoring.api",
    "Result": "corefbench.scoring.result",
    "Signature": "corefbench.scoring.signature",
}

__all__ = [
    "Agreement",
    "Bench",
    "Comparison",
    "CorefbenchError",
    "Corpus",
    "DataError",
    "Deduplication",
    "ErrorAnalysis",
    "Finding",
    "FormatError",
    "LevelStudy",
    "Merge",
    "Oracle",
    "Plan",
    "Profile",
    "Reproduction",
    "Resolution",
    "Result",
    "Run",
    "Score",
    "Scorer",
    "Signature",
    "SingletonStudy",
    "UsageError",
    "__version__",
    "agreement",
    "compare",
    "deduplicate",
    "error_analysis",
    "levels",
    "load",
    "merge",
    "open_run",
    "oracle",
    "read_text",
    "render",
    "reproduce",
    "resolver",
    "run_bench",
    "save_run",
    "score",
    "score_clusters",
    "singletons",
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
