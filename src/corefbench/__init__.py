"""corefbench: an evaluation workbench for coreference and anaphora resolution.

Names are imported on first use, so that ``import corefbench`` takes next to no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from corefbench.version import __version__

if TYPE_CHECKING:
    from corefbench.analysis.annotation import Agreement, Merge, agreement, merge
    from corefbench.analysis.comparison import Comparison, compare
    from corefbench.analysis.deduplicate import Deduplication, deduplicate
    from corefbench.analysis.errors.analysis import ErrorAnalysis, error_analysis
    from corefbench.analysis.levels import LevelStudy, levels
    from corefbench.analysis.singletons import SingletonStudy, singletons
    from corefbench.bench.oracle import Oracle, oracle
    from corefbench.bench.plan import Plan
    from corefbench.bench.run import Bench, run_bench
    from corefbench.corpus.corpus import Corpus
    from corefbench.diagnostics import Finding
    from corefbench.errors import CorefbenchError, DataError, FormatError, UsageError
    from corefbench.formats.load import load, stream
    from corefbench.papers import Reproduction, reproduce
    from corefbench.report.notebook import render
    from corefbench.resolvers import Resolution
    from corefbench.resolvers import make as resolver
    from corefbench.resolvers.resolve import read_text
    from corefbench.runs import Run, open_run
    from corefbench.runs.record import save_run
    from corefbench.scoring.api import Scorer, score, score_clusters
    from corefbench.scoring.measures import Score
    from corefbench.scoring.profiles import Profile
    from corefbench.scoring.result import Result
    from corefbench.scoring.signature import Signature

_LAZY_NAMES = {
    "Agreement": "corefbench.analysis.annotation.agreement",
    "agreement": "corefbench.analysis.annotation.agreement",
    "Merge": "corefbench.analysis.annotation.merge",
    "merge": "corefbench.analysis.annotation.merge",
    "Comparison": "corefbench.analysis.comparison",
    "compare": "corefbench.analysis.comparison",
    "Deduplication": "corefbench.analysis.deduplicate",
    "deduplicate": "corefbench.analysis.deduplicate",
    "ErrorAnalysis": "corefbench.analysis.errors.analysis",
    "error_analysis": "corefbench.analysis.errors.analysis",
    "LevelStudy": "corefbench.analysis.levels",
    "levels": "corefbench.analysis.levels",
    "Oracle": "corefbench.bench.oracle",
    "oracle": "corefbench.bench.oracle",
    "SingletonStudy": "corefbench.analysis.singletons",
    "singletons": "corefbench.analysis.singletons",
    "Bench": "corefbench.bench.run",
    "Plan": "corefbench.bench.plan",
    "run_bench": "corefbench.bench.run",
    "CorefbenchError": "corefbench.errors",
    "DataError": "corefbench.errors",
    "FormatError": "corefbench.errors",
    "UsageError": "corefbench.errors",
    "Reproduction": "corefbench.papers",
    "reproduce": "corefbench.papers",
    "Finding": "corefbench.diagnostics",
    "load": "corefbench.formats.load",
    "stream": "corefbench.formats.load",
    "Score": "corefbench.scoring.measures",
    "Corpus": "corefbench.corpus.corpus",
    "Profile": "corefbench.scoring.profiles",
    "render": "corefbench.report.notebook",
    "Resolution": "corefbench.resolvers",
    "resolver": "corefbench.resolvers:make",
    "read_text": "corefbench.resolvers.resolve",
    "Run": "corefbench.runs",
    "open_run": "corefbench.runs",
    "save_run": "corefbench.runs.record",
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
    target = _LAZY_NAMES.get(name)
    if target is None:
        raise AttributeError(f"module 'corefbench' has no attribute {name!r}")
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute or name)


def __dir__() -> list[str]:
    return __all__
