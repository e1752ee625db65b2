"""`Expression`: a formula that a person typed, as a tree that can be evaluated and written, and in which no code is run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from armature.app.state.units import significant

NUMBER, LETTER, JOINT, SUM, PRODUCT, QUOTIENT, POWER = "number", "letter", "joint", "+", "*", "/", "^"
FUNCTIONS = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sqrt": np.sqrt,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
}
Numbers = np.ndarray | np.float64
Point = Mapping[str, Numbers]
"""The numbers of letters by name, and of joints as q1, qd1, qdd1."""

_DOTS = ("", "\u0307", "\u0308")
_ORDERS = ("q", "qd", "qdd")
_DOWN = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_UP = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "theta": "θ", "phi": "φ", "psi": "ψ", "pi": "π", "tau": "τ", "omega": "ω"}


@dataclass(frozen=True)
class Expression:
    """A node: a function or one of the heads above, with its arguments; `value` is a number, a letter's or a joint's name.

    A joint's `order` is 0 for its position, 1 for speed, 2 for acceleration; its `value` what the file calls it, such as theta.
    """

    head: str
    arguments: tuple[Expression, ...] = ()
    value: Fraction | str = ""
    order: int = 0
    index: int = 0

    def evaluate(self, at: Point) -> Numbers:
        """Its value, or values `(N,)`; what cannot be computed is NaN or infinite."""
        values = [argument.evaluate(at) for argument in self.arguments]
        match self.head:
            case "number":
                return np.float64(Fraction(self.value))
            case "letter":
                return np.float64(math.pi) if self.value == "pi" else at[str(self.value)]
            case "joint":
                return at[f"{_ORDERS[self.order]}{self.index + 1}"]
            case "+":
                return np.sum(np.broadcast_arrays(*values), axis=0)
            case "*":
                return np.prod(np.broadcast_arrays(*values), axis=0)
            case "/":
                return values[0] / values[1]
            case "^":
                return np.power(values[0], values[1])
        return FUNCTIONS[self.head](*values)

    def terms(self) -> tuple[Expression, ...]:
        """The summands."""
        return self.arguments if self.head == SUM else (self,)

    def exchanged(self) -> Expression:
        """The same with every sine a cosine and every cosine a sine."""
        head = {"sin": "cos", "cos": "sin"}.get(self.head, self.head)
        return Expression(head, tuple(a.exchanged() for a in self.arguments), self.value, self.order, self.index)

    def text(self) -> str:
        """As it is read: m₁ l₁² q̈₁ + g cos(q₁)."""
        match self.head:
            case "number":
                return significant(float(Fraction(self.value)), 12)
            case "letter":
                return symbol(str(self.value))
            case "joint":
                return symbol(str(self.value), self.order)
            case "+":
                return " + ".join(part.text() for part in self.arguments).replace("+ −", "− ")
            case "*":
                return self._product()
            case "/":
                return f"{self.arguments[0]._inside()}/{self.arguments[1]._inside(True)}"
            case "^":
                base, exponent = self.arguments
                if exponent.head == NUMBER and Fraction(exponent.value).denominator == 1:
                    return base._inside(True) + str(exponent.value).translate(_UP)
                return f"{base._inside(True)}^({exponent.text()})"
        return self._wave() or f"{self.head}({', '.join(part.text() for part in self.arguments)})"

    def _product(self) -> str:
        first, *rest = self.arguments
        if first.head == NUMBER and first.value == -1 and rest:
            return "−" + Expression(PRODUCT, tuple(rest))._product()
        parts = [part._inside() for part in self.arguments]
        return " ".join(parts)

    def _inside(self, alone: bool = False) -> str:
        text = self.text()
        compound = self.head in (SUM, QUOTIENT, PRODUCT, POWER) if alone else self.head == SUM
        return f"({text})" if compound or text.startswith("−") else text

    def _wave(self) -> str:
        """c₁₂ for cos(q₁ + q₂) of joints that the file calls q."""
        if self.head not in ("sin", "cos"):
            return ""
        joints = self.arguments[0].terms()
        if not all(part.head == JOINT and part.order == 0 and str(part.value).startswith("q") for part in joints):
            return ""
        return self.head[0] + "".join(str(part.index + 1) for part in joints).translate(_DOWN)


def symbol(name: str, order: int = 0) -> str:
    """m₁ for m1, θ for theta, q̇₁ for the speed of q1."""
    base = name.rstrip("0123456789")
    return _GREEK.get(base, base) + _DOTS[order] + name[len(base) :].translate(_DOWN)
