"""Work of the GUI thread that is done in slices."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from armature import engine
from armature.app.state.slices import REST, SLICE, Slices


def work(done: list, name: str, steps: int = 3, longest: float = 0.0):
    """Tells each step in `done`, and at last that it is over or was given up."""
    try:
        for k in range(steps):
            done.append(f"{name}{k}")
            time.sleep(longest)
            yield
    finally:
        done.append(f"{name} over")


def test_others_get_their_turn_between_slices(qtbot):
    done, slices = [], Slices()
    beat = QTimer(interval=0)
    beat.timeout.connect(lambda: done.append("turn"))
    beat.start()
    slices.start(work(done, "a", longest=SLICE))
    assert not done and slices.busy
    qtbot.waitUntil(lambda: not slices.busy)
    beat.stop()
    steps = [what for what in done if what != "turn"]
    assert steps == ["a0", "a1", "a2", "a over"]
    assert "turn" in done[done.index("a0") : done.index("a1")] and "turn" in done[done.index("a1") : done.index("a2")]


def test_the_latest_wins_and_what_is_given_up_is_told(qtbot):
    done, slices = [], Slices()
    slices.start(work(done, "a", steps=10_000, longest=SLICE))
    qtbot.waitUntil(lambda: "a0" in done)
    slices.start(work(done, "b"))
    slices.finish()
    assert done[-5:] == ["a over", "b0", "b1", "b2", "b over"] and not slices.busy


def test_a_step_may_start_other_work(qtbot):
    done, slices = [], Slices()

    def starts_another():
        slices.start(work(done, "b"))
        slices.finish()  # heeds that a step is under way
        done.append("a0")
        yield
        done.append("a1")

    slices.start(starts_another())
    qtbot.waitUntil(lambda: "b over" in done)
    assert done == ["a0", "b0", "b1", "b2", "b over"]


def test_equations_are_there_when_they_are_clicked_on_before_their_turn(make_window, find, wait_for):
    window = make_window(engine.load_robot("panda"), perspective="explore")  # not the one that tests share
    dock, clicked = window.docks["equations"], []

    def click():
        bar = dock.panel.bar
        clicked.append(len(dock.panel.made))
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(4).center())
        window.document.open_robot("scara")

    dock.came.connect(lambda: QTimer.singleShot(0, click))
    QTest.mouseClick(find(window, "button_perspective_equations"), Qt.MouseButton.LeftButton)
    wait_for(lambda: clicked)
    panel = dock.panel
    assert clicked[0] < panel.bar.count() and panel.front.title == "Recursion"
    wait_for(lambda: len(panel.made) == panel.bar.count())
    assert [tab.title for tab in panel.tabs] == [panel.bar.tabText(k) for k in range(panel.bar.count())]
    wait_for(lambda: panel.front._robot is window.document.robot)


def test_a_window_closes_while_a_panel_is_made(make_window, wait_for):
    window = make_window(engine.load_robot("panda"), perspective="explore")
    dock, asleep = window.docks["equations"], []
    beat = QTimer(interval=0)

    def close_halfway():
        if dock._waking.busy:
            beat.stop()
            asleep.append(not dock.awake)
            window.close()

    beat.timeout.connect(close_halfway)
    beat.start()
    dock.bring_up()
    wait_for(lambda: not window.isVisible())
    QTest.qWait(100)  # nothing goes on in it
    assert asleep == [True] and not dock.awake


def test_a_step_may_leave_the_rest_of_its_turn_to_others(qtbot):
    done, slices = [], Slices()

    def steps():
        done.append("a0")
        yield REST
        done.append("a1")
        yield

    beat = QTimer(interval=0)
    slices.start(steps())
    beat.timeout.connect(lambda: done.append("turn"))
    beat.start()
    qtbot.waitUntil(lambda: not slices.busy)
    beat.stop()
    assert "turn" in done[done.index("a0") : done.index("a1")]
