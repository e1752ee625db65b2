"""`View`: a window in a process of its own, as a script sees it."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.errors import DimensionError, ViewError, one_line
from armature.engine.model.load_robot import load_robot
from armature.engine.model.robot import Robot
from armature.engine.model.robot_changes import with_changes
from armature.engine.notebook import page_frame
from armature.engine.remote import messages
from armature.engine.remote.messages import Clear, CloseWindow, SavePage, Sync, Update
from armature.engine.remote.scene_annotations import SceneAnnotations, numbers
from armature.engine.remote.script_connection import ScriptConnection
from armature.engine.remote.shown import order_of, orders, robot_to_show

LOOK = 0.2  # s between two looks whether the line is over


class DragCallbacks:
    """Called one after the other on a thread of their own; when they are slow, with the latest pose only."""

    def __init__(self):
        self._functions: list[Callable[[np.ndarray], Any]] = []
        self._line: ScriptConnection | None = None
        self._edits = 0
        self._moved = threading.Event()
        self._failed: BaseException | None = None

    def add(self, function: Callable[[np.ndarray], Any], line: ScriptConnection) -> None:
        """One more function."""
        self._functions.append(function)
        if self._line is None:
            self._line, self._edits = line, line.report.edits
            threading.Thread(target=self._run, args=(line,), name="on_drag", daemon=True).start()

    def heard(self) -> None:
        """The window has reported something."""
        line = self._line
        if line is not None and line.report.edits != self._edits:
            self._edits = line.report.edits
            self._moved.set()

    def check(self) -> None:
        """Raise what a function has raised, once."""
        if self._failed is not None:
            failed, self._failed = self._failed, None
            raise ViewError(f"on_drag: {type(failed).__name__}: {failed}") from failed

    def _run(self, line: ScriptConnection) -> None:
        while not line.over:
            if self._moved.wait(LOOK):
                self._moved.clear()
                q = np.array(line.report.q)
                try:
                    for function in tuple(self._functions):
                        function(q.copy())
                except Exception as error:
                    self._failed = error


class View(SceneAnnotations):
    """Window controlled by this script, created by `armature.show`.

    Values are sent in the background; the script never waits for the window. Of several values set between two frames the latest
    is drawn; plots receive every sample. Set `q` to move the arm, and call `plot`, `slider` and the other methods to add to the
    view. A `with` block releases the window at its end and leaves it open for the user and the next script; `close()` closes it.
    After the window is closed, or the user has taken control permanently, every call raises the same ViewError.
    """

    def __init__(self, connection: Connection, place: Path):
        self._place = place
        self._number, self._q = 0, np.zeros(0)
        self._robot: tuple[messages.RobotShown, Robot] | None = None
        self._callbacks = DragCallbacks()
        super().__init__(ScriptConnection(connection, self._callbacks.heard))
        self._line.order(Sync())

    # -- the arm

    @property
    def q(self) -> np.ndarray:
        """Joint positions `(n,)`, rad or m. Assigned positions are drawn in the next frame.

        Reading returns the current pose of the arm in the window, also after the user has dragged the arm.

        Raises:
            DimensionError: the number of values is not the number of joints, or a value is not finite.
            ViewError: the window is closed.
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
        """Robot in the window; assign a `Robot`, a robot name or a file to show another one."""
        self._check()
        shown = self._line.robot
        if self._robot is None or self._robot[0] is not shown:
            self._robot = shown, with_changes(load_robot(shown.place), shown.changes)
        return self._robot[1]

    @robot.setter
    def robot(self, robot: Robot | str | Path) -> None:
        self.show(robot)

    def show(self, *what, robot: Robot | str | Path | None = None) -> None:
        """Show robots and results, and return when they are displayed; `what` and `robot`: as in `armature.show`."""
        self._check()
        arm = robot_to_show(what, robot)
        if arm is not None:
            wanted, shown = order_of(arm), self._line.robot
            if (wanted.place, wanted.changes) != (shown.place, shown.changes):
                self._line.order(wanted)
        for order in orders(what, self.robot if arm is None else arm, self._place):
            self._line.order(order)

    def on_drag(self, callback: Callable[[np.ndarray], Any]) -> None:
        """Call `callback(q)` on a background thread whenever the user has moved the arm.

        q `(n,)`: joint positions, rad or m. While a slow callback runs, intermediate poses are skipped; the next call receives
        the latest pose.

        Its exceptions are raised by the script's next use of the view. Raises DimensionError if `callback` is not a function.
        """
        self._check()
        if not callable(callback):
            raise DimensionError(f"on_drag: must be a function of q, not {one_line(repr(callback), 40)}")
        self._callbacks.add(callback, self._line)

    def clear(self) -> None:
        """Remove everything that this script shows in addition to the arm: plots, controls, ghosts, arrows, texts, results."""
        self._check()
        self._forget_controls()
        self._line.order(Clear())

    # -- the window

    @property
    def is_open(self) -> bool:
        """True while the window is open and connected to this script."""
        return not self._line.over

    @property
    def held(self) -> bool:
        """True while the user drags the arm or has taken control; poses set during that time are not shown."""
        self._check()
        return self._line.report.held

    @property
    def latency(self) -> float:
        """Time in s from setting `q` to its display, for the newest pose on the screen; NaN before any pose is displayed."""
        report = self._line.report
        return report.seen - report.sent if report.drawn else float("nan")

    @property
    def drawn(self) -> int:
        """Sequence number of the newest pose on the screen: 1 for the first pose that was set, 0 before it is displayed."""
        return self._line.report.drawn

    def flush(self) -> None:
        """Wait until the window has received all values that were set before this call."""
        self._check()
        self._line.order(Sync())

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the window is closed, at most `timeout` seconds, and return True if it is closed; None: no maximum.

        A script that only uses `on_drag` calls this so that it does not end.
        """
        over = self._line.wait(timeout)
        self._callbacks.check()
        return over

    def to_html(self) -> str:
        """Return the web page that *File ▸ Export ▸ Web page…* of the window writes, as HTML. Raises ViewError."""
        self._check()
        with tempfile.TemporaryDirectory(prefix="armature-") as folder:
            path = Path(folder) / "page.html"
            self._line.order(SavePage(str(path)))
            return path.read_text("utf-8")

    def _repr_html_(self) -> str | None:
        """The web page for a notebook, None without a window."""
        try:
            return page_frame(self.to_html())
        except (ViewError, OSError):
            return None

    def disconnect(self) -> None:
        """Release the window and leave it open for the next `armature.show`."""
        self._line.part("this view no longer controls a window; call armature.show for another one")

    def close(self) -> None:
        """Close the window, if it is open."""
        if not self._line.over:
            try:
                self._line.order(CloseWindow())
            except ViewError:  # somebody else was faster
                pass
            self._line.part("this view has closed its window; call armature.show for another one")

    def taken(self) -> None:
        """End this view, because another view of this program uses the window."""
        self._line.part("the next armature.show of this script uses the window again; show(…, new=True) opens another one")

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and not isinstance(getattr(type(self), name, None), property):
            raise AttributeError(f"a View has no settable attribute {name!r}; valid: q, robot")
        super().__setattr__(name, value)

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_) -> None:
        self.disconnect()

    def __del__(self):
        line = vars(self).get("_line")
        if line is not None and not line.over:
            line.part("this view is closed")

    def __repr__(self) -> str:
        state = self._line.over or f"shows {self._line.robot.name}"
        return f"<armature.View: {state}>"

    # -- inside

    def _check(self) -> None:
        self._callbacks.check()
        super()._check()
