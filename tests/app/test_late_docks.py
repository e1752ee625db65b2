"""Docks of which nothing is there before somebody needs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.late_feature import LateFeature
from armature.app.style.colour_tokens import DARK
from armature.app.widgets.late_dock import LateDock
from armature.app.widgets.on_screen import on_screen
from tests.app.test_small_windows_gui import click_tab
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[2]


def late(window) -> dict[str, LateFeature]:
    """Those features, by the names of their docks."""
    return {feature.dock.name: feature for feature in window.features if isinstance(feature, LateFeature)}


def awake(window) -> set[str]:
    """Whose panels are there."""
    return {name for name, feature in late(window).items() if not feature.asleep}


def test_a_panel_is_made_when_it_is_first_seen_and_takes_what_happened_before(make_window, wait_for):
    window = make_window(engine.load_robot("panda"), perspective="explore")  # not the one that tests share
    assert len(late(window)) >= 11 and awake(window) == set()
    window.preferences.set(theme="dark")
    window.document.open_robot("scara")
    click_tab(QTest.mouseClick, window, "DH steps")
    wait_for(lambda: awake(window) == {"dh_steps"})
    panel = window.docks["dh_steps"].panel
    steps = late(window)["dh_steps"].feature
    wait_for(lambda: on_screen(panel) and steps.walk is not None)
    assert steps.walk.robot.name == "scara"
    assert panel.palette().window().color().name() == DARK.window
    window.actions_["rotations"].trigger()  # a command does its work the first time, too
    wait_for(lambda: on_screen(window.docks["frames"].panel.rotations))
    window.actions_["perspective_trajectory"].trigger()
    wait_for(lambda: "block_diagram" in awake(window) and on_screen(window.docks["block_diagram"].panel))
    assert "load_comparison" not in awake(window)  # behind the tab of another
    window.actions_["let_scripts_in"].setChecked(True)
    assert awake(window) == {"dh_steps", "frames", "block_diagram", "script"}
    window.actions_["let_scripts_in"].setChecked(False)


def test_nothing_of_them_is_imported_before():
    program = (
        "from tests.virtual_display import use_virtual_display; use_virtual_display()\n"
        "import sys; from armature.app.application import _assemble; from armature.app.state.settings import Settings\n"
        "window = _assemble('puma560', Settings(), True)\n"
        "from armature.app.late_feature import LateFeature\n"
        "for feature in window.features:\n"
        "    if isinstance(feature, LateFeature):\n"
        "        before = set(sys.modules); kind = feature.load()\n"
        "        assert kind.__module__ not in before, kind\n"
        "print('none')"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, timeout=PROCESS)
    assert found.stdout.strip() == "none", found.stderr


@pytest.mark.parametrize(("height", "scale"), [(900, 100), (700, 150)])  # the block diagram is open, or folded to one line
def test_a_perspective_is_where_it_stays_before_its_panels_are_made(make_window, wait_for, press, height, scale):
    window = make_window(size=(1400, height), anew=True, perspective="explore", text_scale=scale)
    wait_for(lambda: window.bench.simulation.ready)

    def seen() -> list:
        return [dock for dock in window.docks.all() if not dock.isHidden() and on_screen(dock)]

    def places() -> dict[str, tuple]:
        return {part.objectName(): part.geometry().getRect() for part in (window.scene, *seen())}

    for key in (Qt.Key.Key_4, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_5, Qt.Key.Key_6):
        press(window.scene, key, Qt.KeyboardModifier.ControlModifier)
        late = [dock for dock in seen() if isinstance(dock, LateDock)]
        before, passed = places(), []

        def came(late=late, passed=passed) -> bool:
            passed.append(places())
            return all(dock.awake for dock in late)

        wait_for(came)
        for now in [*passed, places()]:
            assert now.keys() == before.keys()
            assert all(np.allclose(now[name], before[name], atol=1) for name in now), (before, now)  # px of rounding
    assert "block_diagram" in awake(window)
