"""`ScriptLayer`: ghosts, arrows, texts and a path that a script shows in the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.scene.overlays.sketch.sketch import Caption, Sketch, SketchArrow, Stroke
from armature.app.state.units import significant
from armature.app.style.colour_tokens import DARK, LIGHT, Tokens
from armature.engine.errors import one_line
from armature.engine.remote.messages import Arrow, Text, Update

if TYPE_CHECKING:
    from armature.app.scene.scene_view import SceneView
    from armature.engine import Robot

MOST, LONGEST = 64, 120  # things of a kind, and letters of a text
SHARE = 1.0 / 3.0  # of the reach, that the longest arrow of a name takes
ARROWS, PATH = 1, 5  # places among the colours of curves


class ScriptLayer:
    """Draws what changed when `draw` is called."""

    def __init__(self, scene: SceneView):
        self._scene, self._tokens = scene, LIGHT
        self._robot: Robot | None = None
        self.clear()

    def clear(self) -> None:
        """Nothing is shown."""
        self.ghosts: dict[str, np.ndarray] = {}
        self.arrows: dict[str, Arrow] = {}
        self.texts: dict[str, Text] = {}
        self.path = np.zeros((0, 3))
        self._longest: dict[str, float] = {}
        self._stale = True

    def set_robot(self, robot: Robot) -> None:
        """Another robot: ghosts, arrows and path were of the last one."""
        self._robot = robot
        self.clear()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of curves are those of arrows and ghosts."""
        self._tokens, self._stale = tokens, True

    def take(self, update: Update) -> None:
        """What the script has set."""
        n = 0 if self._robot is None else self._robot.n
        for name, q in update.ghosts.items():
            _put(self.ghosts, name, None if q is None or len(q) != n or not np.isfinite(q).all() else np.array(q))
        for name, arrow in update.arrows.items():
            _put(self.arrows, name, arrow if arrow and _sound(*arrow.start, *arrow.vector, arrow.scale) else None)
        for name, text in update.texts.items():
            _put(self.texts, name, text if text and _sound(*(text.at or ())) else None)
        self._stale = self._stale or bool(update.ghosts or update.arrows or update.texts)

    def set_path(self, points: np.ndarray) -> None:
        """The way of the tool `(N, 3)` in W."""
        self.path, self._stale = points, True

    def draw(self) -> None:
        """Show what has changed."""
        if not self._stale or self._robot is None:
            return
        self._stale = False
        colours = [self._colour(k + 2) for k in range(len(self.ghosts))]
        poses = [engine.link_poses(self._robot, q) for q in self.ghosts.values()]
        stacked = np.array(poses).reshape(-1, len(self._robot.link_names), 4, 4)
        captions = [
            Caption(_short(name), colour, engine.frame_pose(self._robot, q)[:3, 3])
            for (name, q), colour in zip(self.ghosts.items(), colours)
        ]
        placed = [text for text in self.texts.values() if text.at is not None]
        captions += [Caption(_short(text.text), self._tokens.text, np.array(text.at)) for text in placed]
        arrows = tuple(self._drawn(k, name, arrow) for k, (name, arrow) in enumerate(self.arrows.items()))
        strokes = (Stroke(self.path, self._colour(PATH), 2.2),) if len(self.path) > 1 else ()
        notes = tuple(_short(text.text) for text in self.texts.values() if text.at is None)
        anything = arrows or captions or strokes or notes
        sketch = Sketch(arrows, strokes, tuple(captions)) if anything else None
        self._scene.show_script(sketch, notes, stacked, colours)

    def _drawn(self, k: int, name: str, arrow: Arrow) -> SketchArrow:
        assert self._robot is not None
        start, vector = np.array(arrow.start), np.array(arrow.vector)
        size = float(np.linalg.norm(vector))
        self._longest[name] = max(self._longest.get(name, 0.0), size)
        scale = arrow.scale or (SHARE * self._robot.reach / self._longest[name] if self._longest[name] else 0.0)
        words = f"{_short(name)}  {significant(size, 3)} {_short(arrow.unit)}".strip()
        colour = arrow.colour if _is_colour(arrow.colour) else self._colour(k + ARROWS)
        return SketchArrow(start, start + scale * vector, colour, words)

    def _colour(self, k: int) -> str:
        series = (DARK if self._tokens.dark else LIGHT).series
        return series[k % len(series)]


def _put(things: dict, name: str, thing) -> None:
    if thing is None:
        things.pop(name, None)
    elif name in things or len(things) < MOST:
        things[name] = thing


def _sound(*figures: float) -> bool:
    return bool(np.isfinite(figures).all())


def _short(text: str) -> str:
    return one_line(text, LONGEST)


def _is_colour(text: str) -> bool:
    return len(text) == 7 and text[0] == "#" and all(letter in "0123456789abcdefABCDEF" for letter in text[1:])
