"""How SI numbers are shown: degrees or radians, metres or millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees, floor, inf, isfinite, isnan, log10

from armature.app.state.number_marks import MARKS, MINUS, written
from armature.engine.rounding import cleared

UNKNOWN = "–"
"""What stands where no number is known."""
FINER = 8  # decimals beyond the last one written; what lies farther behind is rounding


@dataclass(frozen=True)
class Units:
    """The user's choice of display units; the document and the engine always hold radians and metres."""

    angle: str = "deg"
    length: str = "m"

    def factor(self, prismatic: bool) -> float:
        """Shown value per SI value of a joint."""
        if prismatic:
            return 1000.0 if self.length == "mm" else 1.0
        return degrees(1.0) if self.angle == "deg" else 1.0

    def symbol(self, prismatic: bool) -> str:
        """Unit symbol of a joint position."""
        if prismatic:
            return self.length
        return "°" if self.angle == "deg" else "rad"

    def suffix(self, prismatic: bool) -> str:
        """What follows the number in a field; the degree sign stands without a space in tables of joints."""
        symbol = self.symbol(prismatic)
        return symbol if symbol == "°" else f" {symbol}"

    def decimals(self, prismatic: bool) -> int:
        """Digits after the point that make one step of the last digit invisible on screen."""
        return {"°": 2, "rad": 4, "mm": 1, "m": 4}[self.symbol(prismatic)]

    def step(self, prismatic: bool) -> float:
        """One press of an arrow key, in shown units."""
        return {"°": 1.0, "rad": 0.02, "mm": 1.0, "m": 0.005}[self.symbol(prismatic)]

    def text(self, value: float, prismatic: bool) -> str:
        """`value` (SI) with its unit, as a label shows it."""
        if not isfinite(value):
            return "∞" if value > 0 else f"{MINUS}∞"
        return number(value * self.factor(prismatic), self.decimals(prismatic)) + self.suffix(prismatic)

    def short(self, value: float, prismatic: bool) -> str:
        """`value` (SI) as briefly as it can be told, for the ends of a slider."""
        shown = round(value * self.factor(prismatic), self.decimals(prismatic) + 2) + 0.0
        text = f"{shown:.3g}" if abs(shown) < 1e3 else f"{shown:.0f}"
        return written(text) + self.suffix(prismatic)


def number(value: float, decimals: int) -> str:
    """Fixed point with a true minus sign and no negative zero; a dash for what is not known.

    Values that differ by their rounding alone are written alike, also halfway between two last digits.
    """
    if isnan(value):
        return UNKNOWN
    text = f"{round(value, decimals + FINER):.{decimals}f}"
    if text.startswith("-") and not text.strip("-0."):
        text = text[1:]
    return written(text)


def grouped(value: float) -> str:
    """A whole number with its thousands set apart."""
    return f"{value:,.0f}".replace("-", MINUS).replace(",", MARKS.group)


def significant(value: float, digits: int = 4, scale: float = 0.0) -> str:
    """A number of unknown size in `digits` significant digits; 0 below the rounding of its `scale`.

    Infinity is its sign, what is not known a dash.
    """
    if isnan(value):
        return UNKNOWN
    if not isfinite(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    return written(f"{cleared(value, scale) if scale else value or 0.0:.{digits}g}")


def measured(value: float, digits: int = 4) -> str:
    """As `significant`, with the zeros at its end: as many digits whatever the number is; 0 is 0."""
    if not isfinite(value) or value == 0.0:
        return significant(value, digits)
    return written(f"{value:#.{digits}g}".replace(".e", "e").removesuffix("."))


def uncertain(value: float, error: float, digits: int = 1) -> str:
    """`value` ± `error`, both to the decimal of the error's last one of these significant `digits`."""
    if not 0.0 < error < inf:
        return f"{significant(value)} ± {significant(error)}"
    decimals = max(0, digits - 1 - floor(log10(error)))
    return f"{number(value, decimals)} ± {number(error, decimals)}"


def seconds(value: float) -> str:
    """A duration in three significant digits, in whole seconds from 1000 s on, and with an exponent from a day and more on."""
    return f"{value:.0f}" if 1e3 <= value < 1e5 else significant(value, 3)


def ends(low: float, high: float, digits: int = 3) -> tuple[str, str]:
    """The ends of a scale in `digits` significant digits of the larger one; what is less than half of its last digit is 0."""
    largest = max(abs(low), abs(high))
    least = 0.5 * 10.0 ** (floor(log10(largest)) + 1 - digits) if 0.0 < largest < inf else 0.0
    low, high = (value if abs(value) >= least else 0.0 for value in (low, high))
    return significant(low, digits), significant(high, digits)


def megabytes(count: float) -> str:
    """Return a number of bytes in kB, MB or GB, with two digits or more."""
    for size, unit in ((1e9, "GB"), (1e6, "MB")):
        if count >= 0.9995 * size:
            return f"{number(count / size, 0 if count >= 9.95 * size else 1)} {unit}"
    return f"{number(count / 1e3, 0 if count >= 9.95e3 or not count else 1)} kB"
