"""Examples in README and documentation run, and generated pages know everything."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from glob import glob
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from corefbench.analysis.errors.taxonomy import CLASSES
from corefbench.errors import CODES
from corefbench.formats import formats
from corefbench.preprocess import preprocessors
from corefbench.registry import Registry
from corefbench.resolvers import resolvers
from corefbench.scoring.matching import matchings
from corefbench.scoring.measures import measures
from corefbench.scoring.profiles import profiles
from corefbench.version import __version__
from tests.cli import invoke

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "examples" / "README.md",
    *sorted((ROOT / "examples").glob("*/README.md")),
    *sorted(p for p in (ROOT / "docs").rglob("*.md") if not {"_build", "results", "reference"} & {*p.parts}),
]
BLOCK = re.compile(r"(<!-- skip: .+? -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
LINK = re.compile(r"\[[^\]]+\]\(([^)#:]+)(?:#[^)]*)?\)")


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path, language: str) -> list[str]:
    """The code of a page in one language, but for blocks that are marked to be skipped."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [code for skip, kind, code in found if kind == language and not skip]


def cases(language: str, sign: str) -> list:
    return [
        pytest.param(page, code, id=f"{name(page)}-{number}")
        for page in PAGES
        for number, code in enumerate(blocks(page, language))
        if sign in code
    ]


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """A folder with nothing but the examples, so that examples depend on no more."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def untouched_registries(monkeypatch):
    """What an example registers is forgotten afterwards."""
    for registry in (formats, matchings, measures, preprocessors, profiles, resolvers):
        assert isinstance(registry, Registry)
        monkeypatch.setattr(registry, "_entries", dict(registry._entries))
        monkeypatch.setattr(registry, "_aliases", dict(registry._aliases))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_python_examples_of_the_page_run(page, workplace, untouched_registries):
    text = "\n".join(code for code in blocks(page, "python") if ">>>" in code)
    test = doctest.DocTestParser().get_doctest(text, {}, name(page), str(page), 0)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize(("page", "code"), cases("console", "$ "))
def test_commands_of_the_page_print_what_it_says(page, code, workplace, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    lines = code.splitlines()
    commands = [line[2:] for line in lines if line.startswith("$ ")]
    expected = "".join(f"{line}\n" for line in lines if not line.startswith("$ "))
    # Starting a process costs more than most commands; a shell runs only what is written for one.
    simple = all(re.fullmatch(r"corefbench [^|<>;&$`\\]+", command) for command in commands)
    printed = "".join(map(run_here, commands)) if simple else run_in_shell("\n".join(commands))
    same = doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS)
    assert same, f"expected:\n{expected}\ngot:\n{printed}"


def run_here(command: str) -> str:
    """Run a command in this process, with file names expanded as a shell does."""
    words = shlex.split(command)[1:]
    if not {'"', "'"} & {*command}:
        words = [path for word in words for path in sorted(glob(word)) or [word]]
    result = invoke(*words)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def run_in_shell(script: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONUTF8": "1"}
    done = subprocess.run(
        ["sh", "-e", "-c", script], env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_on_the_examples_are_in_blocks_that_run(page):
    others = [code for language in ("bash", "sh", "shell", "text") for code in blocks(page, language)]
    idle = [code for code in others if re.search(r"^corefbench \w+ examples/", code, re.MULTILINE)]
    assert not idle


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_blocks_of_commands_run_or_say_why_not(page):
    text = page.read_text(encoding="utf-8")
    found = [(skip, code) for skip, kind, code in BLOCK.findall(text) if kind == "console"]
    assert len(found) == text.count("```console"), "a block that is not found is not run"
    assert not [code for skip, code in found if not skip and "$ " not in code]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_to_files_lead_somewhere(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    measured = {"docs/results/differential.md", "docs/results/speed.md"}
    missing = {t for t in targets if t not in measured and not (page.parent / t).exists()}
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_pages_name_no_place_of_one_machine(page):
    assert not re.search(r"(?<![\w.])/(?:home|work|tmp|root)/", page.read_text(encoding="utf-8"))


def test_the_training_loop_runs_and_ends_with_a_perfect_score(workplace):
    program = workplace / "examples" / "training_loop.py"
    done = subprocess.run([sys.executable, str(program)], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.splitlines()[-1] == "epoch 3: CoNLL F1 100.00"


@pytest.fixture(scope="module")
def cards():
    """The generator of pages, which needs no Sphinx."""
    spec = spec_from_file_location("cards", ROOT / "docs" / "cards.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("generator", "known"),
    [
        ("profiles", profiles),
        ("profile_table", profiles),
        ("measures", measures),
        ("matchings", matchings),
        ("formats", formats),
        ("resolvers", resolvers),
        ("preprocessors", preprocessors),
        ("codes", CODES),
        ("commands", ["corefbench score", "corefbench resolve", "corefbench bench"]),
    ],
)
def test_a_generated_part_knows_every_entry(cards, generator, known):
    text = cards.GENERATORS[generator]()
    assert not [entry for entry in known if entry not in text]


@pytest.fixture(scope="module")
def reference() -> dict[str, str]:
    """The pages of the reference, by path."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs"))
        return import_module("reference_pages").pages()


def command_names() -> list[str]:
    """Every command, as it is typed."""
    from typer.main import get_command

    from corefbench.cli.main import app

    def within(group, path=""):
        for word, command in group.commands.items():
            inner = getattr(command, "commands", None)
            yield from within(command, f"{path}{word} ") if inner else [f"{path}{word}"]

    return list(within(get_command(app)))


NAMED = {
    "commands": command_names(),
    "measures": measures,
    "profiles": profiles,
    "matchings": matchings,
    "formats": formats,
    "resolvers": resolvers,
    "preprocessors": preprocessors,
    "taxonomies": CLASSES,
    "codes": CODES,
}


@pytest.mark.parametrize("kind", NAMED)
def test_everything_that_has_a_name_has_a_page_that_says_something(reference, kind):
    missing, empty, texts = [], [], {}
    for each in NAMED[kind]:
        text = reference.get(f"{kind}/{each.replace(' ', '-').replace(':', '-')}.md")
        if text is None:
            missing.append(each)
            continue
        own = re.sub(rf"{re.escape(each)}|Source:.*|^#.*", "", text, flags=re.MULTILINE)
        if len(own.split()) < 15 or own in texts.values() or each not in text:
            empty.append(each)
        texts[each] = own
    assert (missing, empty) == ([], [])


def test_the_reference_has_no_page_of_what_is_not_there(reference):
    expected = {
        f"{kind}/{each.replace(' ', '-').replace(':', '-')}.md" for kind, known in NAMED.items() for each in known
    }
    assert {path for path in reference if not path.endswith("index.md")} == expected


def test_figures_are_cut_or_rounded_as_the_profile_has_them(reference):
    """71.666… is 71.66 with the reference scorer, which cuts, and 71.67 with those that round."""
    assert "| 71.66 | 92.12 | 80.61 |" in reference["measures/b_cubed.md"]
    assert "| 71.67 | 92.12 | 80.62 |" in reference["profiles/coval-keep.md"]


def test_pages_ask_for_every_generated_part_and_no_other(cards):
    asked = {
        place for page in PAGES for place in re.findall(r"<!-- generated: (\w+) -->", page.read_text(encoding="utf-8"))
    }
    assert asked == cards.GENERATORS.keys()


def test_the_readme_names_every_profile():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert not [profile for profile in profiles if f"`{profile}`" not in readme]


def test_the_citation_file_and_the_changelog_name_the_version():
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert __version__ in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_a_page_begins_with_its_title(page: str) -> None:
    assert (ROOT / "docs" / page).read_text(encoding="utf-8").startswith("# ")
