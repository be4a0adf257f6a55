"""What is tried with each extra in an environment that has nothing else."""

from corefbench.record import Record

TEXT = "Ann met Tom. She thanked him."
KEY, RESPONSE = "examples/key.conll", "examples/steady.response.conll"


class Try(Record, frozen=True):
    """A command, the exit code it must have, and a word that it must say."""

    words: tuple[str, ...]
    says: str = ""
    code: int = 0


def run(*words: str, says: str = "", code: int = 0) -> Try:
    """A command of corefbench."""
    return Try(words=("corefbench", *words), says=says, code=code)


def python(program: str, says: str = "") -> Try:
    """A line of Python."""
    return Try(words=("python", "-c", program), says=says)


SHARDS = run(
    "convert", KEY, "shards/", "--output-format", "jsonlines", "--shard-size", "1", says="3 files"
)
"""A folder, since a small file is never shared out."""
BARE = (
    run("--version", says="corefbench"),
    run("score", KEY, RESPONSE, says="77.46"),
    run("convert", KEY, "key.jsonlines", says="40 mentions"),
    run("check", "key.jsonlines", says="checked"),
    run("stats", "key.jsonlines", says="108"),
    run("doctor", says="nothing that is installed is broken"),
    run("resolve", "--text", TEXT, says="corefbench[en-accurate]", code=4),
    run("resolve", "--text", TEXT, "--preprocess", "stanza", says="corefbench[stanza]", code=4),
    run("resolve", "--text", TEXT, "--resolver", "neural", says="pip install", code=4),
    run("stats", KEY, "--chart", "x.svg", says="corefbench[charts]", code=4),
    run("convert", KEY, "key.parquet", says="corefbench[parquet]", code=4),
    SHARDS,
    run("check", "shards", "--engine", "dask", says="corefbench[dask]", code=4),
    run("ui", "--no-browser", says="corefbench[ui]", code=4),
    run("campaign", "init", "exercise", says="campaign.toml"),
    run("campaign", "serve", "exercise", says="corefbench[campaign]", code=4),
    python("from corefbench.bundled import bundled; print(len(bundled()))", says="17"),
)

EXTRAS: dict[str, tuple[Try, ...]] = {
    "en": (run("resolve", "--text", TEXT, "--preprocess", "en", says="She"),),
    "en-accurate": (run("resolve", "--text", TEXT, says="She"),),
    "charts": (run("stats", KEY, "--chart", "x.svg"),),
    "learned": (
        python("from corefbench.resolvers.learned import ubiu; import sklearn, safetensors"),
    ),
    "neural": (run("resolve", "story.txt", "--resolver", "neural", says="She"),),
    "ui": (Try(words=("python", "visit.py"), says="200"),),
    "campaign": (
        run("campaign", "init", "exercise", says="campaign.toml"),
        run("campaign", "validate", "exercise", says="in order"),
        run("campaign", "dry-run", "exercise"),
    ),
    "postgresql": (python("import psycopg; print(psycopg.pq.__impl__)", says="binary"),),
    "dask": (
        SHARDS,
        run("check", "shards", "--engine", "dask", "--jobs", "2", says="nothing to say"),
    ),
    "scale": (python("import hnswlib; print(hnswlib.Index('ip', 2).dim)", says="2"),),
    "parquet": (
        run("convert", KEY, "key.parquet", says="nothing is lost"),
        run("score", KEY, "key.parquet", says="100.00"),
    ),
    "docs": (
        Try(
            words=(
                "python",
                "-m",
                "sphinx",
                "-W",
                "--keep-going",
                "-q",
                "-b",
                "html",
                "docs",
                "out",
            )
        ),
    ),
}
NEEDS_TORCH = frozenset({"neural"})
ALSO = {"neural": "en-accurate", "docs": "charts"}
"""Extras that go with another one in use: raw text is analysed before it is resolved."""
LEFT_OUT = {
    "stanza": "its models are downloaded; without it, it is said what to install",
    "test": "`make test` installs and uses it",
    "check": "`make check` installs and uses it",
    "fuzz": "`make fuzz` installs and uses it",
    "train-en-accurate": "`make train-en-accurate` installs and uses it",
}
