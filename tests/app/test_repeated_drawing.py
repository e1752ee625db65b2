"""What looks as it did is drawn by the same calls, and what does not is drawn anew."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.app.scene.gl import gl_calls, gl_state
from armature.app.scene.gl.gl_calls import collectable, collecting
from armature.app.scene.gl.item_order import ItemGroup
from armature.app.scene.gl.repeated_drawing import RepeatedDrawing
from armature.app.scene.overlays.lost_motion import LostMotion
from armature.app.scene.overlays.newton_euler.load_item import Motion
from armature.app.scene.scene_view import OVERLAYS
from armature.engine.thresholds import Level
from tests.app import checked_drawing
from tests.app.scenes import pixels, shown_view


class Drawn:
    """Something that says a value and sets a switch, and counts how often it was asked."""

    def __init__(self):
        self.said: list = []
        self.asked = 0
        self._say, self._drawing = collectable(self.said.append), RepeatedDrawing()

    def frame(self, value, switch: bool = True) -> list:
        """What one frame says."""
        self.said.clear()
        gl_state.begin(gl_state.Target(1, (0, 0, 8, 8), 0))
        with collecting():
            gl_state._known["switch"] = switch
            self._drawing.draw((value,), self._act, value)
        gl_state.forget()
        return list(self.said)

    def _act(self, value) -> None:
        self.asked += 1
        self._say(value)


@pytest.fixture
def unchecked(monkeypatch):
    """Nothing is drawn beside what is repeated."""
    monkeypatch.setattr(RepeatedDrawing, "draw", checked_drawing.DRAW)


@pytest.mark.usefixtures("unchecked")
def test_it_is_asked_twice_and_then_repeated_until_something_changes():
    drawn = Drawn()
    assert [drawn.frame("a") for _ in range(5)] == [["a"]] * 5 and drawn.asked == 2
    assert [drawn.frame("b") for _ in range(3)] == [["b"]] * 3 and drawn.asked == 4
    assert drawn.frame("b", switch=False) == ["b"] and drawn.asked == 5
    assert [drawn.frame("b") for _ in range(3)] == [["b"]] * 3 and drawn.asked == 7, "another way between two is no repetition"


@pytest.mark.usefixtures("unchecked")
def test_calls_that_were_made_early_are_no_part_of_a_repetition():
    drawn = Drawn()
    act = drawn._act

    def makes_something(value):
        act(value)
        with gl_calls.at_once():
            pass

    drawn._act = makes_something
    assert [drawn.frame("a") for _ in range(4)] == [["a"]] * 4 and drawn.asked == 4


class Tinted:
    """An item whose program keeps its tint: it is set only where it is another than last time."""

    def __init__(self, said: list):
        self.tint, self.repeats, self._last = "", True, ""
        self._say, self._drawing = collectable(said.append), RepeatedDrawing()

    def drawn_by(self):
        return (self.tint,) if self.repeats else None

    def draw_or_repeat(self, frame) -> None:
        if self.repeats:
            self._drawing.draw((frame, self.tint), self._draw)
        else:
            self._draw()

    def _draw(self) -> None:
        if self.tint != self._last:
            self._say(self.tint)
            self._last = self.tint
        self._say("drawn")


@pytest.mark.usefixtures("unchecked")
def test_a_group_knows_nothing_of_uniforms_once_its_items_were_drawn_one_by_one():
    said: list = []
    one, other = Tinted(said), Tinted(said)
    group, drawn_one_by_one = ItemGroup([one, other]), []

    def each(acts, frame):
        drawn_one_by_one.append(len(acts))
        for _, act in acts:
            act(frame)

    def frame(tint: str, repeats: bool = True) -> list:
        one.tint, other.repeats = tint, repeats
        said.clear()
        gl_state.begin(gl_state.Target(1, (0, 0, 8, 8), 0))
        with collecting():
            group.draw("frame", each)
        gl_state.forget()
        return list(said)

    assert [frame("red") for _ in range(4)] == [["red", "drawn", "drawn"]] + 3 * [["drawn", "drawn"]]
    assert len(drawn_one_by_one) == 2, "then all of them are repeated at once"
    assert frame("blue", repeats=False) == ["blue", "drawn", "drawn"]
    assert frame("red") == ["red", "drawn", "drawn"]


@pytest.mark.parametrize("moves", [True, False], ids=["moves", "stands"])
@pytest.mark.parametrize("name", ["puma560", "stanford", "scara"])
def test_a_view_that_repeats_shows_what_a_new_one_shows(qtbot, name, moves):
    """Every overlay, with everything that a person and the pose can change about it."""
    robot, rng = engine.load_robot(name), np.random.default_rng(1)
    view = shown_view(qtbot, name, size=(320, 240))
    view.set_warning(Level.WARN, (0,), ())
    changes = [lambda name=name: view.set_overlay(name, not view.overlay(name)) for name in OVERLAYS]
    changes += [
        lambda: [view.set_overlay(name, name not in ("translucent", "wireframe")) for name in OVERLAYS],
        lambda: view.set_theme(True),
        lambda: view.set_warning(Level.STOP, (1,), ()),
        lambda: view.highlight_joint(1),
        lambda: view.select_joint(2),
        lambda: setattr(view.stage.frames, "withdrawn", True),
        lambda: setattr(view.stage.frames, "withdrawn", False),
        lambda: view.stage.loads.set_motion(Motion(robot, *np.full((3, robot.n), np.nan))),
        lambda: view.stage.loads.set_motion(None),
        lambda: view.set_warning(Level.STOP, (1,), (LostMotion(np.zeros(3), np.eye(3)[2], True, "It does not turn."),)),
        lambda: view.set_warning(Level.FINE, (), ()),
        lambda: view.hide(frozenset({2}), frozenset({1})),
        lambda: view.set_frame_size(1.6),
        lambda: view.standard_view("front"),
        lambda: view.set_text_size(1.4),
        lambda: view.set_robot(engine.load_robot("double_pendulum"), np.array([0.3, 0.4])),
        lambda: view.set_robot(robot, robot.configurations["home"]),
    ]
    before, seen = checked_drawing.repeated, []
    for change in changes:
        change()
        for _ in range(3):
            view.set_q(view.q + 0.1 * moves * rng.normal(size=len(view.q)))
            view.grabFramebuffer()
        seen.append(pixels(view.grabFramebuffer()))
    assert checked_drawing.repeated > before + 100
    assert len({picture.tobytes() for picture in seen}) > len(seen) // 2
