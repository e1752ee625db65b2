"""Numbers and poses as XML files hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from lxml import etree

from armature.engine.model.toml.written_figures import short_lengths
from armature.engine.model.toml.written_values import as_fraction, short
from armature.engine.rotations import exact_roll_pitch_yaw, quaternion

_NONE = "0 0 0"


def numbers(values: Any) -> str:
    """One or several numbers with blanks between, read back to the last bit."""
    return " ".join(repr(float(x) + 0.0).removesuffix(".0") for x in np.ravel(values))


def lengths(p: Iterable[float]) -> str:
    """Lengths in m, or parts of a unit vector, with few digits and without dust beside 1."""
    return numbers(short_lengths(p))


def figure(x: float) -> str:
    """One number with few digits."""
    return numbers(short([x]))


def origin(parent: Any, X: np.ndarray) -> None:
    """An `<origin>` of a URDF, left out for the identity."""
    xyz, rpy = lengths(X[:3, 3]), _angles(exact_roll_pitch_yaw(X[:3, :3]))
    if (xyz, rpy) != (_NONE, _NONE):
        etree.SubElement(parent, "origin", xyz=xyz, rpy=rpy)


def _angles(values: Iterable[float]) -> str:
    """Angles in rad with few digits, fractions of pi with all."""
    return numbers([x if as_fraction(x) else short_lengths([x])[0] for x in values])


def place(X: np.ndarray) -> dict[str, str]:
    """`pos` and `quat` of an element of a MuJoCo model, each left out where it is none."""
    figures = {"pos": (lengths(X[:3, 3]), _NONE), "quat": (lengths(quaternion(X[:3, :3])), "1 0 0 0")}
    found = {key: text for key, (text, usual) in figures.items() if text != usual}
    return found


def as_text(root: Any, about: Iterable[str]) -> str:
    """The file: what it is about as a comment, then the elements."""
    lines = [line.replace("--", "– ") for line in about if line]
    comment = "<!--\n" + "".join(f"  {line}\n" for line in lines) + "-->\n" if lines else ""
    etree.indent(root, "  ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{comment}{etree.tostring(root, encoding="unicode")}\n'


def free_name(wanted: str, taken: Sequence[str] | set[str]) -> str:
    """The name, with a number behind it where it is taken."""
    name, k = wanted, 2
    while name in taken:
        name, k = f"{wanted}{k}", k + 1
    return name
