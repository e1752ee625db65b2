"""Equations as sums of terms: in symbols, with the numbers put in, evaluated. After "_" comes a subscript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armature.app.state.units import significant

DIGITS = 4


@dataclass(frozen=True, eq=False)
class Quantity:
    """A number, a vector `(3,)` or a matrix `(3, 3)` with its symbol; what is rounding beside its `scale` is told as 0."""

    symbol: str
    value: np.ndarray | float
    scale: float = 0.0

    @property
    def figures(self) -> str:
        """The number or the vector as text; a matrix is its symbol."""
        return self.symbol if np.ndim(self.value) == 2 else figures(self.value, self.scale)


@dataclass(frozen=True, eq=False)
class Term:
    """One summand, of quantities with words between them, such as "{} × {}"."""

    pattern: str
    parts: tuple[Quantity, ...]
    value: np.ndarray | float

    @property
    def symbols(self) -> str:
        """ω_1 × r_2."""
        return self.pattern.format(*(part.symbol for part in self.parts))

    @property
    def figures(self) -> str:
        """(0, 0, 1) × (0.4, 0, 0)."""
        return self.pattern.format(*(part.figures for part in self.parts))

    @property
    def scale(self) -> float:
        """The largest that the product of such parts can be, whose own summands may cancel."""
        return float(np.prod([max(np.abs(part.value).max(), part.scale) for part in self.parts]))


@dataclass(frozen=True, eq=False)
class Line:
    """`result` = the sum of `terms`, in `unit`; `meaning` says what it is."""

    result: Quantity
    terms: tuple[Term, ...]
    unit: str
    meaning: str

    @property
    def symbols(self) -> str:
        """ω_2 = ω_1 + z_2 q̇_2."""
        return f"{self.result.symbol} = " + (" + ".join(term.symbols for term in self.terms) or "0")

    @property
    def figures(self) -> str:
        """The right side with the numbers put in."""
        return " + ".join(term.figures for term in self.terms)

    @property
    def steps(self) -> tuple[str, ...]:
        """The right side on its way to the result: in symbols, with the numbers put in, and each term's own number where a matrix
        stands in it."""
        out = [self.symbols.split(" = ", 1)[1], self.figures]
        if any(np.ndim(part.value) == 2 for term in self.terms for part in term.parts):
            out.append(" + ".join(figures(term.value, self.result.scale) for term in self.terms))
        return tuple(dict.fromkeys(out))

    @property
    def value(self) -> str:
        """What comes out, with its unit; rounding of terms that cancel is 0."""
        return f"{figures(self.result.value, self.result.scale)} {self.unit}"


def figures(value: np.ndarray | float, scale: float = 0.0) -> str:
    """A number, or a vector in parentheses, 0 below the rounding of `scale`."""
    if np.ndim(value) == 0:
        return significant(float(value), DIGITS, scale)
    scale = max(scale, float(np.abs(value).max()))
    return f"({', '.join(significant(float(x), DIGITS, scale) for x in np.asarray(value))})"


def plain(a: Quantity) -> Term:
    """a."""
    return Term("{}", (a,), a.value)


def times(a: Quantity, b: Quantity) -> Term:
    """a b of a number, or a matrix, and a vector."""
    value = np.asarray(a.value) @ b.value if np.ndim(a.value) == 2 else a.value * np.asarray(b.value)
    return Term("{} {}" if np.ndim(a.value) == 2 else "{} · {}", (a, b), value)


def dot(a: Quantity, b: Quantity) -> Term:
    """a · b of two vectors."""
    return Term("{} · {}", (a, b), float(np.dot(a.value, b.value)))


def cross(a: Quantity, b: Quantity) -> Term:
    """a × b."""
    return Term("{} × {}", (a, b), np.cross(a.value, b.value))


def twice_across(w: Quantity, r: Quantity) -> Term:
    """w × (w × r), the centripetal acceleration."""
    return Term("{} × ({} × {})", (w, w, r), np.cross(w.value, np.cross(w.value, r.value)))


def gyroscopic(w: Quantity, inertia: Quantity) -> Term:
    """w × (I w)."""
    return Term("{} × ({} {})", (w, inertia, w), np.cross(w.value, np.asarray(inertia.value) @ w.value))


def coriolis(w: Quantity, z: Quantity, rate: Quantity) -> Term:
    """2 w × (z rate)."""
    value = 2.0 * np.cross(w.value, np.asarray(z.value) * rate.value)
    return Term("2 {} × ({} · {})", (w, z, rate), value)


def turned_along(w: Quantity, z: Quantity, rate: Quantity) -> Term:
    """w × (z rate)."""
    return Term("{} × ({} · {})", (w, z, rate), np.cross(w.value, np.asarray(z.value) * rate.value))


def summed(symbol: str, terms: Sequence[Term], unit: str, meaning: str) -> Line:
    """The line whose result is the sum of the terms."""
    value = sum((term.value for term in terms[1:]), terms[0].value)
    return Line(Quantity(symbol, value, max(term.scale for term in terms)), tuple(terms), unit, meaning)
