"""Rotations about x, y and z: their matrices in symbols and numbers, and what they do to a frame."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl import palette
from armature.app.scene.overlays.sketch.sketch import Sketch, SketchArrow, Stroke
from armature.app.state.units import Units, number, significant
from armature.engine.rotations import rotation, rotation_vector

AXES = "xyz"
ANGLES = ("α", "β", "γ")
DECIMALS = 3
COLOURS = (palette.AXIS_X, palette.AXIS_Y, palette.AXIS_Z)
SIZE, FINE = 0.36, np.radians(5.0)  # of the frame in reaches, and of an arc per straight piece
NO_TURN = 1e-12  # rad
BRACKETS = (("⎡", "⎤"), ("⎢", "⎥"), ("⎣", "⎦"))


def turn(axis: int, angle: float) -> np.ndarray:
    """R_x, R_y or R_z `(3, 3)`."""
    return rotation(angle * np.eye(3)[axis])


def product(angles: np.ndarray) -> np.ndarray:
    """R_z(γ) R_y(β) R_x(α): about the fixed axes x, then y, then z."""
    R = np.eye(3)
    for axis, angle in enumerate(angles):
        R = turn(axis, float(angle)) @ R
    return R


def equation(axis: int, angle: float) -> str:
    """R_y(β) in symbols, and what it is now."""
    return _written(f"R_{AXES[axis]}({ANGLES[axis]})", _symbols(axis), turn(axis, angle))


def product_text(angles: np.ndarray) -> str:
    """The product now."""
    return _written("R", None, product(angles))


def check_text(angles: np.ndarray, units: Units) -> str:
    """The same by one turn about one axis, Rodrigues' formula, and how far apart the two are."""
    R = product(angles)
    turned = rotation_vector(R)
    angle = float(np.linalg.norm(turned))
    apart = float(np.abs(rotation(turned) - R).max())
    if angle < NO_TURN:
        return "R = 1: no rotation."
    axis = ", ".join(number(float(x), DECIMALS) for x in turned / angle)
    return f"Equivalent single rotation: {units.text(angle, False)} about ({axis}); R agrees within {significant(apart, 2)}."


def rotation_sketch(angles: np.ndarray, reach: float) -> Sketch:
    """The world's axes dotted, the turned frame, and the ways of its tips, turn by turn."""
    size, origin, R = SIZE * reach, np.zeros(3), np.eye(3)
    strokes = [Stroke(np.array([origin, size * e]), colour, 2.4, 3.0) for e, colour in zip(np.eye(3), COLOURS)]
    for axis, angle in enumerate(map(float, angles)):
        pieces = max(1, int(np.ceil(abs(angle) / FINE)))
        if angle:
            t, K = np.linspace(0.0, angle, pieces + 1)[:, None, None], _cross_matrix(axis)
            steps = (np.eye(3) + np.sin(t) * K + (1.0 - np.cos(t)) * K @ K) @ R
            for column, colour in enumerate(COLOURS):
                if np.abs(np.diff(steps[:, :, column], axis=0)).max() > 1e-9:
                    strokes.append(Stroke(0.92 * size * steps[:, :, column], colour, 2.0))
        R = turn(axis, angle) @ R
    arrows = [SketchArrow(origin, size * R[:, k], colour, f"{AXES[k]}'") for k, colour in enumerate(COLOURS)]
    return Sketch(tuple(arrows), tuple(strokes), replaces_frames=True)


def _cross_matrix(axis: int) -> np.ndarray:
    """K with K v = e × v, of Rodrigues' formula."""
    return np.cross(np.eye(3)[axis], np.eye(3)).T


def _symbols(axis: int) -> list[list[str]]:
    """1, 0, cos and sin of the angle."""
    texts = [["1" if i == j else "0" for j in range(3)] for i in range(3)]
    first, second = [k for k in range(3) if k != axis]
    upper, lower = ("", "−") if axis == 1 else ("−", "")
    angle = ANGLES[axis]
    texts[first][first] = texts[second][second] = f"c{angle}"
    texts[first][second], texts[second][first] = f"{upper}s{angle}", f"{lower}s{angle}"
    return texts


def _written(name: str, symbols: list[list[str]] | None, R: np.ndarray) -> str:
    """Three lines with brackets, the name before the middle one."""
    lines = []
    for i, (left, right) in enumerate(BRACKETS):
        head = f"{name} = " if i == 1 else " " * (len(name) + 3)
        if symbols is not None:
            head += left + " ".join(text.rjust(3) for text in symbols[i]) + right + (" = " if i == 1 else "   ")
        values = " ".join(number(float(value), DECIMALS).rjust(DECIMALS + 3) for value in R[i])
        lines.append(f"{head}{left}{values}{right}")
    return "\n".join(lines)
