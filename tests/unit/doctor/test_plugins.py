import sys

from corefbench.doctor.plugins import plugins

CODE = """
class Good:
    card = "a card"

class Bare:
    pass
"""
POINTS = """
[corefbench.measures]
good-measure = doctor_example:Good
bare-measure = doctor_example:Bare
muc = doctor_example:Good

[corefbench.formats]
gone = doctor_example:Gone
failing = doctor_failing:Format
"""


def test_plug_ins_are_loaded_and_their_faults_told(tmp_path, monkeypatch) -> None:
    metadata = tmp_path / "doctor_example-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: doctor-example\nVersion: 1.0\n"
    )
    (metadata / "entry_points.txt").write_text(POINTS)
    (tmp_path / "doctor_example.py").write_text(CODE)
    (tmp_path / "doctor_failing.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = {one.name: one for one in plugins()}
    sys.modules.pop("doctor_example", None)
    assert found["good-measure"].state == "present"
    assert found["good-measure"].version == "doctor-example 1.0"
    assert found["good-measure"].purpose == "measure"
    assert found["bare-measure"].found == "doctor_example:Bare has no card"
    assert "is used instead" in found["muc"].found
    assert "AttributeError" in found["gone"].found
    assert found["failing"].found == "doctor_failing:Format: ZeroDivisionError: division by zero"
    assert {one.state for name, one in found.items() if name != "good-measure"} == {"broken"}
