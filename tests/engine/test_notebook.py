"""Pictures of robots and recordings in a notebook."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from lxml import html

import armature
from armature.engine.notebook import page_frame
from tests.engine.notebook_page import shown
from tests.time_limits import PROCESS

PANDA = armature.load_robot("panda")


def picture(robot):
    return shown(robot).get("image/png")


def test_a_robot_that_ships_has_its_picture_with_it(monkeypatch):
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("it was drawn again"))
    for name in armature.shipped_robots():
        assert picture(armature.load_robot(name)).startswith(b"\x89PNG")
    assert picture(PANDA.with_payload(1.0)) == picture(PANDA)
    assert picture(replace(PANDA, source=None)) is None


def test_another_robot_is_drawn_once(monkeypatch, tmp_path):
    drawn = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def draw(command, **_):
        drawn.append(Path(command[5]))
        Path(command[6]).write_bytes(b"\x89PNG picture")

    monkeypatch.setattr(subprocess, "run", draw)
    mine = tmp_path / "mine.toml"
    mine.write_text("# mine\n" + PANDA.source.read_text())
    for _ in range(2):
        assert picture(armature.load_robot(mine)) == b"\x89PNG picture"
    assert drawn == [mine]
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)  # without a picture
    mine.write_text("# another\n" + PANDA.source.read_text())
    assert picture(armature.load_robot(mine)) is None


def no_page(*_, **__):
    raise OSError


def test_a_recording_shows_facts_and_its_web_page():
    swing = armature.simulate(PANDA, PANDA.configurations["ready"], None, 0.1, 1e-3)
    page = html.fromstring(shown(swing)["text/html"])
    assert [cell.text for cell in page.iter("td")][:2] == ["panda", "101 in 0.1 s"]
    (frame,) = page.iter("iframe")
    assert frame.get("sandbox") == "allow-scripts"
    assert "default-src 'none'" in frame.get("srcdoc") and "<title>panda</title>" in frame.get("srcdoc")


def test_a_page_cannot_leave_its_frame():
    hostile = "'\"></iframe><script>alert(1)</script>&quot;"
    (frame,) = html.fragments_fromstring(page_frame(hostile))
    assert frame.tag == "iframe" and frame.get("srcdoc") == hostile


def test_a_recording_without_a_page_shows_curves_with_every_peak(monkeypatch):
    monkeypatch.setattr(subprocess, "run", no_page)
    q = PANDA.configurations["ready"]
    swing = armature.simulate(PANDA, q, None, 1.0, 1e-3)
    page = html.fromstring(shown(swing)["text/html"])
    assert [cell.text for cell in page.iter("td")][:2] == ["panda", "1001 in 1 s"]
    lines = [[float(pair.split(",")[1]) for pair in line.get("points").split()] for line in page.iter("polyline")]
    assert len(lines) == 3 * PANDA.n and all(len(line) <= 2 * 120 for line in lines)
    heights = np.array([y for line in lines[: PANDA.n] for y in line])
    assert heights.min() == pytest.approx(18.0, abs=0.06) and heights.max() == pytest.approx(104.0, abs=0.06)
    holes = swing.q.copy()
    holes[3:900] = np.nan
    odd = replace(swing, q=holes, robot_name="<b>&", metadata={})
    assert "&lt;b&gt;&amp;" in shown(odd)["text/html"] and "nan" not in shown(odd)["text/html"]
    empty = replace(swing, **{name: getattr(swing, name)[:0] for name in ("t", "q", "qd", "tau")})
    assert "<svg" not in shown(empty)["text/html"]


def test_neither_needs_qt():
    show = "from tests.engine.notebook_page import shown; shown(armature.load_robot('panda'))"
    code = f"import sys, armature; {show}; print('PySide6' in sys.modules)"
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PROCESS)
    assert seen.stdout == "False\n"
