"""Workers of a command start early, with what their work needs and without the command line."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json
from corefbench.cli.main import app
from corefbench.cli.workers import expect_workers, spare_workers_the_command_line
from corefbench.engine import map_documents

asked = ["'corefbench.scoring.sharded' in __import__('sys').modules",
         "'corefbench.cli.main' in __import__('sys').modules"]
if __name__ == "__main__":
    if {spared}:
        spare_workers_the_command_line()
    expect_workers({engine!r}, {jobs}, "corefbench.scoring.sharded")
    print(json.dumps(list(map_documents(eval, asked, engine="processes", jobs=2))))
"""


@pytest.mark.parametrize(
    ("spared", "engine", "jobs", "imported"),
    [
        (True, "", 2, [True, False]),
        (True, "processes", 2, [True, False]),
        (True, "", 1, [False, False]),
        (True, "dask", 2, [False, False]),
        (False, "", 2, [True, True]),
    ],
)
def test_what_workers_have_imported(tmp_path, spared, engine, jobs, imported):
    path = tmp_path / "program"
    path.write_text(PROGRAM.format(spared=spared, engine=engine, jobs=jobs))
    said = subprocess.run([sys.executable, path], check=True, capture_output=True, text=True)
    assert json.loads(said.stdout) == imported
