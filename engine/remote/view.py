"""`View`: a window in a process of its own, as a script sees it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.errors import DimensionError, ViewError
from armature.engine.model.load_robot import load_robot
from armature.engine.model.robot import Robot
from armature.engine.model.robot_changes import with_changes
from armature.engine.remote import messages
from armature.engine.remote.arguments import numbers, row, three
from armature.engine.remote.drag_callbacks import DragCallbacks
from armature.engine.remote.line import Line
from armature.engine.remote.messages import Arrow, Clear, CloseWindow, Samples, Slider, Sync, Text, Update
from armature.engine.remote.shown import order_of, orders, robot_to_show

Point = Sequence[float] | np.ndarray


class View:
    """A window that this script drives, made by `armature.show`.

    What is set is sent beside the script, which never waits for the window; of everything set between two frames the latest is
    drawn, and plots get every sample. A `with` block lets go of the window at its end and leaves it open, for a person and for
    the next script; `close()` closes it. Once the window is closed, or a person has taken it over for good, every call raises
    the same ViewError.
    """

    def __init__(self, connection: Connection, place: Path):
        self._place = place
        self._began, self._number = time.monotonic(), 0
        self._q = np.zeros(0)
        self._sliders: dict[str, Slider] = {}
        self._pressed: dict[str, int] = {}
        self._robot: tuple[messages.RobotShown, Robot] | None = None
        self._callbacks = DragCallbacks()
        self._line = Line(connection, self._callbacks.heard)
        self._line.order(Sync())

    # -- the arm

    @property
    def q(self) -> np.ndarray:
        """Joint positions `(n,)` in rad and m. Set, they are drawn with the next frame; read, they follow the person's drag too.

        Raises:
            DimensionError: not as many finite numbers as the robot has joints.
            ViewError: the window is gone.
        """
        self._check()
        report = self._line.report
        if (report.held or report.number >= self._number) and len(report.q) == len(self._line.robot.joints):
            return np.array(report.q)
        return self._q.copy()

    @q.setter
    def q(self, q) -> None:
        self._check()
        shown = self._line.robot
        values = numbers(q, f"{shown.name}: q", len(shown.joints))
        self._q = np.array(values)
        self._number += 1
        update = Update(number=self._number, sent=messages.now(), q=values)
        self._line.tell(lambda state: state.add(update))

    @property
    def robot(self) -> Robot:
        """The robot in the window; set it to a `Robot`, a name or a file to show another one."""
        self._check()
        shown = self._line.robot
        if self._robot is None or self._robot[0] is not shown:
            self._robot = shown, with_changes(load_robot(shown.place), shown.changes)
        return self._robot[1]

    @robot.setter
    def robot(self, robot: Robot | str | Path) -> None:
        self.show(robot)

    def show(self, *what, robot: Robot | str | Path | None = None) -> None:
        """Show robots and results as `armature.show` does, and come back once they are there."""
        self._check()
        arm = robot_to_show(what, robot)
        if arm is not None:
            wanted, shown = order_of(arm), self._line.robot
            if (wanted.place, wanted.changes) != (shown.place, shown.changes):
                self._line.order(wanted)
        for order in orders(what, self.robot if arm is None else arm, self._place):
            self._line.order(order)

    # -- beside it

    def plot(self, name: str, value, t: float | None = None, names: Sequence[str] = ()) -> None:
        """Append to the plot `name` of the dock Script.

        Args:
            name: the title, with the unit.
            value: a number, or `(k,)` for k curves.
            t: s; by default the time since the script took the window.
            names: of the curves, by default 1 to k.
        """
        values = row(value, name, names)
        called = list(names) or ([name] if len(values) == 1 else [str(k + 1) for k in range(len(values))])
        at = time.monotonic() - self._began if t is None else float(t)
        self._tell(lambda state: state.plot(str(name), Samples([at], [values], called)))

    def ghost(self, name: str, q) -> None:
        """Show the arm also at joint positions q `(n,)`, seen through and with its name; None takes it away."""
        shown = self._line.robot
        values = None if q is None else numbers(q, f"ghost {name!r}", len(shown.joints))
        self._tell(lambda state: state.ghosts.update({str(name): values}))

    def arrow(
        self,
        p: Point | None,
        f: Point = (0.0, 0.0, 0.0),
        name: str = "",
        *,
        unit: str = "N",
        scale: float = 0.0,
        colour: str = "",
    ) -> None:
        """Show an arrow f `(3,)` at the point p `(3,)`, both in W, with its length as a number in `unit`; p None takes it away.

        Args:
            name: tells arrows apart, and stands beside it.
            scale: m drawn per unit; by default the longest of that name so far is a third of the robot's reach.
            colour: "#rrggbb".
        """
        arrow = None
        if p is not None:
            start, vector = three(p, f"arrow {name!r}: p"), three(f, f"arrow {name!r}: f")
            arrow = Arrow(start, vector, float(scale), str(unit), str(colour))
        self._tell(lambda state: state.arrows.update({str(name): arrow}))

    def text(self, text: str, at: Point | None = None, name: str = "") -> None:
        """Show a line of text at the top of the view, or at a point `(3,)` in W; an empty one takes it away."""
        shown = Text(str(text), None if at is None else three(at, "text: at")) if text else None
        self._tell(lambda state: state.texts.update({str(name): shown}))

    def slider(self, name: str, low: float, high: float, start: float | None = None) -> float:
        """The value of a slider in the dock Script, which is made by the first call."""
        low, high = float(low), float(high)
        if not (np.isfinite([low, high]).all() and low < high):
            raise DimensionError(f"slider {name!r}: goes from a lower to a higher number, not from {low:g} to {high:g}")
        first = min(max(low if start is None else float(start), low), high)
        name, wanted = str(name), Slider(low, high, first)
        self._check()
        if self._sliders.get(name) != wanted:
            self._sliders[name] = wanted
            self._line.tell(lambda state: state.sliders.update({name: wanted}))
        return min(max(self._line.report.values.get(name, first), low), high)

    def pressed(self, name: str) -> bool:
        """Whether a button in the dock Script, which is made by the first call, was pressed since the last call."""
        name = str(name)
        self._check()
        if name not in self._pressed:
            self._line.tell(lambda state: state.buttons.update({name: True}))
        count, before = self._line.report.presses.get(name, 0), self._pressed.get(name, 0)
        self._pressed[name] = min(count, before + 1)
        return count > before

    def on_drag(self, callback: Callable[[np.ndarray], Any]) -> None:
        """Call `callback(q)` on a thread of the view whenever a person has moved the arm; when it is slow, with the latest q.

        What it raises is raised by the script's next use of the view.
        """
        self._check()
        self._callbacks.add(callback, self._line)

    def clear(self) -> None:
        """Take away everything that this script shows beside the arm: plots, controls, ghosts, arrows, texts, results."""
        self._check()
        self._sliders, self._pressed = {}, {}
        self._line.order(Clear())

    # -- the window

    @property
    def is_open(self) -> bool:
        """Whether the window is there and follows this script."""
        return not self._line.over

    @property
    def held(self) -> bool:
        """Whether a person holds the arm, or has taken it over: poses that are set meanwhile are not shown."""
        self._check()
        return self._line.report.held

    @property
    def latency(self) -> float:
        """Seconds from setting q to the frame that showed it, of the newest pose on the screen; NaN before the first."""
        report = self._line.report
        return report.seen - report.sent if report.drawn else float("nan")

    @property
    def drawn(self) -> int:
        """How many of the poses that were set, counted from the first, came before or with the one on the screen."""
        return self._line.report.drawn

    def flush(self) -> None:
        """Wait until the window has everything that was set."""
        self._check()
        self._line.order(Sync())

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the window is closed, or `timeout` s; whether it is. For a script that lives by `on_drag` alone."""
        over = self._line.wait(timeout)
        self._callbacks.check()
        return over

    def disconnect(self) -> None:
        """Let go of the window and leave it open: the next `armature.show` takes it."""
        self._line.part("this view let go of its window; armature.show gives another one")

    def close(self) -> None:
        """Close the window; nothing where it is closed."""
        if not self._line.over:
            try:
                self._line.order(CloseWindow())
            except ViewError:  # somebody else was faster
                pass
            self._line.part("this view closed its window; armature.show opens another one")

    def taken(self) -> None:
        """Another view of this program has the window from now on."""
        self._line.part("another armature.show of this program took the window; show(…, new=True) opens one more")

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_) -> None:
        self.disconnect()

    def __del__(self):
        line = vars(self).get("_line")
        if line is not None and not line.over:
            line.part("this view is gone")

    def __repr__(self) -> str:
        state = self._line.over or f"shows {self._line.robot.name}"
        return f"<armature.View: {state}>"

    # -- inside

    def _check(self) -> None:
        self._callbacks.check()
        self._line.check()

    def _tell(self, change: Callable[[Update], object]) -> None:
        self._check()
        self._line.tell(change)
