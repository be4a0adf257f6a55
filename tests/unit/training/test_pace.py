"""How progress is said."""

from corefbench.training import pace as module
from corefbench.training.pace import Pace


def test_lines_come_now_and_then_with_the_time_left(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    heard = []
    pace = Pace("document", 10, heard.append)
    for _ in range(10):
        now[0] += 2
        pace.step()
    assert heard == ["document 3/10, 14 s left", "document 6/10, 8 s left",
                     "document 9/10, 2 s left", "document 10/10, 0 s left"]  # fmt: skip
