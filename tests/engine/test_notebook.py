"""Pictures of robots and recordings in a notebook."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from lxml import html

import armature
from armature.engine import notebook
from tests.time_limits import PROCESS

PANDA = armature.load_robot("panda")


def test_a_robot_that_ships_has_its_picture_with_it(monkeypatch):
    monkeypatch.setattr(notebook, "_drawn", lambda _: pytest.fail("it was drawn anew"))
    for name in armature.shipped_robots():
        assert armature.load_robot(name)._repr_png_().startswith(b"\x89PNG")
    assert PANDA.with_payload(1.0)._repr_png_() == PANDA._repr_png_()
    assert replace(PANDA, source=None)._repr_png_() is None


def test_another_robot_is_drawn_once(monkeypatch, tmp_path):
    drawn = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(notebook, "_drawn", lambda source: drawn.append(source) or b"\x89PNG picture")
    mine = tmp_path / "mine.toml"
    mine.write_text("# mine\n" + PANDA.source.read_text())
    for _ in range(2):
        assert armature.load_robot(mine)._repr_png_() == b"\x89PNG picture"
    assert drawn == [mine]
    monkeypatch.setattr(notebook, "_drawn", lambda _: None)
    mine.write_text("# another\n" + PANDA.source.read_text())
    assert armature.load_robot(mine)._repr_png_() is None


def test_a_recording_shows_facts_and_curves_with_every_peak():
    q = PANDA.configurations["ready"]
    swing = armature.simulate(PANDA, q, None, 1.0, 1e-3)
    page = html.fromstring(swing._repr_html_())
    assert [cell.text for cell in page.iter("td")][:2] == ["panda", "1001 in 1 s"]
    lines = [[float(pair.split(",")[1]) for pair in line.get("points").split()] for line in page.iter("polyline")]
    assert len(lines) == 3 * PANDA.n and all(len(line) <= 2 * 120 for line in lines)
    heights = np.array([y for line in lines[: PANDA.n] for y in line])
    assert heights.min() == pytest.approx(18.0, abs=0.06) and heights.max() == pytest.approx(104.0, abs=0.06)
    holes = swing.q.copy()
    holes[3:900] = np.nan
    odd = replace(swing, q=holes, robot_name="<b>&", metadata={})
    assert "&lt;b&gt;&amp;" in odd._repr_html_() and "nan" not in odd._repr_html_()
    assert "<svg" not in replace(swing, **{name: getattr(swing, name)[:0] for name in ("t", "q", "qd", "tau")})._repr_html_()


def test_neither_needs_qt():
    code = "import sys, armature; armature.load_robot('panda')._repr_png_(); print('PySide6' in sys.modules)"
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PROCESS)
    assert seen.stdout == "False\n"
