"""What a person types as a quantity: 90°, pi/2, 0.4318, 431.8 mm, 2*0.1 + 0.05, −170 … 170."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import isfinite, pi

import numpy as np

from armature.app.questions.expression_parser import Misread, parse
from armature.app.state.number_marks import MARKS
from armature.app.state.units import Units, significant
from armature.engine.errors import ModelError, one_line

DIGITS, EXACT = 7, 15  # significant ones that are shown, and that stand where a number is edited
_BETWEEN = re.compile(r"\s*(?:…|\.{2,3}|;|\bto\b)\s*|(?<=[\d.°)π²a-z])\s+(?=[-+−.\d(π]|pi)", re.IGNORECASE)
_TWO_NUMBERS = re.compile(r"[\d.]\s+[\d.]")
_PI = re.compile(r"(?<![a-z])pi(?![a-z])|π", re.IGNORECASE)


class Kind(Enum):
    """What a number measures."""

    ANGLE = "angle"
    LENGTH = "length"
    TURN_SPEED = "speed of a revolute joint"
    SLIDE_SPEED = "speed of a prismatic joint"
    TURN_ACCELERATION = "acceleration of a revolute joint"
    SLIDE_ACCELERATION = "acceleration of a prismatic joint"
    TORQUE = "torque"
    FORCE = "force"
    MASS = "mass"
    INERTIA = "moment of inertia"
    DENSITY = "density"
    TURN_VISCOUS = "viscous friction of a revolute joint"
    SLIDE_VISCOUS = "viscous friction of a prismatic joint"
    ACCELERATION = "acceleration"
    PLAIN = "number"


_ANGLES = {"°": pi / 180, "deg": pi / 180, "rad": 1.0}
_LENGTHS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3}
_SYMBOLS: Mapping[Kind, Mapping[str, float]] = {
    Kind.ANGLE: _ANGLES,
    Kind.LENGTH: _LENGTHS,
    Kind.TURN_SPEED: {**{f"{name}/s": factor for name, factor in _ANGLES.items()}, "rpm": pi / 30, "1/min": pi / 30},
    Kind.SLIDE_SPEED: {f"{name}/s": factor for name, factor in _LENGTHS.items()},
    Kind.TURN_ACCELERATION: {f"{name}/{s}": factor for name, factor in _ANGLES.items() for s in ("s²", "s^2")},
    Kind.SLIDE_ACCELERATION: {f"{name}/{s}": factor for name, factor in _LENGTHS.items() for s in ("s²", "s^2")},
    Kind.TORQUE: {"Nm": 1.0, "N m": 1.0, "N·m": 1.0},
    Kind.FORCE: {"N": 1.0, "kN": 1e3},
    Kind.MASS: {"kg": 1.0, "g": 1e-3},
    Kind.INERTIA: {"kg m²": 1.0, "kg·m²": 1.0, "kg m^2": 1.0, "g mm²": 1e-9, "g·mm²": 1e-9, "kg mm²": 1e-6, "kg·mm²": 1e-6},
    Kind.DENSITY: {"kg/m³": 1.0, "g/cm³": 1e3},
    Kind.TURN_VISCOUS: {"N·m·s/rad": 1.0, "Nms/rad": 1.0, "N m s/rad": 1.0, "N·m·s": 1.0, "Nms": 1.0},
    Kind.SLIDE_VISCOUS: {"N·s/m": 1.0, "Ns/m": 1.0, "N s/m": 1.0},
    Kind.ACCELERATION: {"m/s²": 1.0},
    Kind.PLAIN: {},
}
_SHOWN = {
    Kind.TORQUE: "N·m",
    Kind.FORCE: "N",
    Kind.MASS: "kg",
    Kind.INERTIA: "kg·m²",
    Kind.DENSITY: "kg/m³",
    Kind.TURN_VISCOUS: "N·m·s/rad",
    Kind.SLIDE_VISCOUS: "N·s/m",
    Kind.ACCELERATION: "m/s²",
    Kind.PLAIN: "",
}


@dataclass(frozen=True)
class Scale:
    """How numbers of a `kind` are shown in the user's units."""

    kind: Kind
    units: Units

    @property
    def symbol(self) -> str:
        """The unit that is shown."""
        match self.kind:
            case Kind.ANGLE | Kind.LENGTH:
                return self.units.symbol(self.kind is Kind.LENGTH)
            case Kind.TURN_SPEED | Kind.SLIDE_SPEED:
                return f"{self.units.symbol(self.kind is Kind.SLIDE_SPEED)}/s"
            case Kind.TURN_ACCELERATION | Kind.SLIDE_ACCELERATION:
                return f"{self.units.symbol(self.kind is Kind.SLIDE_ACCELERATION)}/s²"
        return _SHOWN[self.kind]

    @property
    def factor(self) -> float:
        """Shown value per SI value."""
        return 1.0 / _SYMBOLS[self.kind].get(self.symbol, 1.0)

    def text(self, value: float, digits: int = DIGITS) -> str:
        """A value (SI) without its unit."""
        return significant(value * self.factor, digits)

    def typed(self, text: str) -> float:
        """The value (SI) of what was typed, with or without a unit; an angle with pi in it is in rad. Raises ModelError."""
        bare, factor = self._without_unit(text.strip())
        value = _number(bare, text, self._valid)
        if factor is None:
            in_rad = self.kind is Kind.ANGLE and _PI.search(bare)
            factor = 1.0 if in_rad else 1.0 / self.factor
        return value * factor

    def typed_range(self, text: str) -> tuple[float, float] | None:
        """Lower and upper end, as −170 … 170 or ±170; None where nothing is typed. Raises ModelError."""
        text = text.strip()
        if not text:
            return None
        if text[0] == "±":
            end = self.typed(text[1:])
            return -end, end
        ends = _BETWEEN.split(text)
        if len(ends) != 2:
            raise ModelError(f"“{one_line(text, 30)}” is not a range; type both ends, e.g. −170 … 170 or ±170")
        return self.typed(ends[0]), self.typed(ends[1])

    @property
    def _valid(self) -> str:
        """What may be typed."""
        kept = {re.sub(r"[ ·]|\^", "", unit): unit for unit in reversed(list(_SYMBOLS[self.kind]))}
        spelled = ", ".join(reversed(kept.values()))
        with_unit = f"; units: {spelled}" if kept else ""
        return f"type a number such as 0.5 or 0,5, or an expression with pi, sqrt, + − * / ^ and brackets{with_unit}"

    def _without_unit(self, text: str) -> tuple[str, float | None]:
        """The expression before the unit, and what the unit is in SI; None where there is none."""
        for symbol, factor in sorted(_SYMBOLS[self.kind].items(), key=lambda one: -len(one[0])):
            if text.endswith(symbol) and len(text) > len(symbol):
                return text.removesuffix(symbol).strip(), factor
        return text, None


def _number(bare: str, whole: str, valid: str) -> float:
    """The value of an expression."""
    if not bare:
        raise ModelError("the field is empty; type a number, such as 0.4318 or pi/2")
    if MARKS.decimal == ",":
        bare = bare.replace(",", ".")
    try:
        if _TWO_NUMBERS.search(bare):  # which a formula would multiply
            raise Misread(bare)
        with np.errstate(all="ignore"):
            value = float(parse(bare, 0).evaluate({}))
    except (Misread, KeyError, OverflowError, ZeroDivisionError):
        raise ModelError(f"“{one_line(whole, 30)}” is not a number; {valid}") from None
    if not isfinite(value):
        raise ModelError(f"“{one_line(whole, 30)}” is not a finite number")
    return value
