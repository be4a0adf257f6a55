"""``corefbench doctor``: says what is there, and leaves with 1 where something is broken."""

import json
import subprocess
import sys

from typer.testing import CliRunner

from corefbench.cli.main import app
from corefbench.doctor import Check


def test_the_report_names_the_version_python_and_every_part() -> None:
    done = CliRunner().invoke(app, ["doctor"])
    for words in ("corefbench 0", "Python 3.", "Required packages", "Extras", "Models", "Cache"):
        assert words in done.stdout


def test_the_object_has_keys_for_programs() -> None:
    done = CliRunner().invoke(app, ["doctor", "--format", "json"])
    result = json.loads(done.stdout)
    assert {"version", "python", "place", "extras", "models", "data", "cache", "plugins",
            "programs", "broken"} <= result.keys()  # fmt: skip
    assert {item["state"] for item in result["required"]} == {"present"}
    assert done.exit_code == (1 if result["broken"] else 0)


def test_what_is_broken_is_named_and_the_exit_code_is_one(monkeypatch) -> None:
    broken = [Check(name="mine", state="broken", found="SyntaxError")]
    monkeypatch.setattr("corefbench.doctor.check_plugins", lambda: broken)
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 1
    assert "broken: mine (SyntaxError)" in done.stdout


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import sys\nfrom corefbench.doctor import examine\nexamine()\n"
        "print(sorted({'torch', 'spacy', 'transformers', 'scipy.stats', 'onnxruntime'} & "
        "sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_protections_of_scoring_processes_are_shown(monkeypatch) -> None:
    monkeypatch.setattr("corefbench.campaign.jobs.sandbox._probe", lambda: frozenset({"limits"}))
    done = CliRunner().invoke(app, ["doctor", "--format", "json"])
    states = {check["name"]: check["state"] for check in json.loads(done.output)["sandbox"]}
    assert states == {"network": "missing", "limits": "present", "privileges": "missing", "audit-hook": "missing"}
