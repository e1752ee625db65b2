"""Whether two formulas are the same, proven: their difference, as polynomials in letters, sines and cosines, is 0."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from armature.app.questions.expression import JOINT, LETTER, NUMBER, POWER, PRODUCT, QUOTIENT, SUM, Expression

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement

SECONDS, LARGEST = 2.0, 40_000  # of a proof, and products of terms in one multiplication
Quotient = tuple["PolyElement", "PolyElement"]


class _Unproven(Exception):
    """No polynomial, or too large a one."""


def proven_equal(a: Expression, b: Expression, joints: int, letters: tuple[str, ...]) -> bool:
    """Whether sympy's polynomials show that a − b = 0 with s² + c² = 1; False where they do not, or not in time."""
    try:
        proof = _Proof(joints, letters)
        (top, bottom), (other_top, other_bottom) = proof.quotient(a), proof.quotient(b)
        difference = proof.times(top, other_bottom) - proof.times(other_top, bottom)
        return not proof.reduced(difference)
    except _Unproven:
        return False


class _Proof:
    """A ring of polynomials, and the time that is left."""

    def __init__(self, joints: int, letters: tuple[str, ...]):
        from sympy import QQ, Symbol
        from sympy.polys.rings import PolyRing

        self._end = time.monotonic() + SECONDS
        names = [f"letter {name}" for name in (*letters, "pi")]
        names += [f"{kind} {k}" for kind in ("0", "1", "2", "sin", "cos") for k in range(joints)]
        self.ring = PolyRing([Symbol(name) for name in names], QQ)
        self._generators = dict(zip(names, self.ring.gens))
        self._waves = [(names.index(f"sin {k}"), self._generators[f"cos {k}"]) for k in range(joints)]

    def quotient(self, part: Expression) -> Quotient:
        """Numerator and denominator."""
        one = self.ring.one
        match part.head:
            case "number":
                value = Fraction(part.value)
                return self.ring(value.numerator), self.ring(value.denominator)
            case "letter":
                return self._generators[f"letter {part.value}"], one
            case "joint":
                return self._generators[f"{part.order} {part.index}"], one
            case "sin" | "cos" | "tan":
                cos, sin = self._wave(part.arguments[0])
                return (sin, cos) if part.head == "tan" else (sin if part.head == "sin" else cos, one)
            case "+" | "*" | "/" | "^":
                return self._combined(part)
        raise _Unproven

    def _combined(self, part: Expression) -> Quotient:
        if part.head == POWER:
            exponent = Fraction(part.arguments[1].value)
            if exponent.denominator != 1:
                raise _Unproven
            base = self.quotient(part.arguments[0])
            base = base if exponent >= 0 else (base[1], base[0])
            found: Quotient = (self.ring.one, self.ring.one)
            for _ in range(abs(exponent.numerator)):
                found = self.times(found[0], base[0]), self.times(found[1], base[1])
            return found
        top, bottom = self.quotient(part.arguments[0])
        for argument in part.arguments[1:]:
            other, under = self.quotient(argument)
            if part.head == SUM:
                same = bottom == under
                top = top + other if same else self.times(top, under) + self.times(other, bottom)
                bottom = bottom if same else self.times(bottom, under)
            else:
                up, down = (other, under) if part.head == PRODUCT else (under, other)
                top, bottom = self.times(top, up), self.times(bottom, down)
        return top, bottom

    def times(self, a: PolyElement, b: PolyElement) -> PolyElement:
        if len(a) * len(b) > LARGEST or time.monotonic() > self._end:
            raise _Unproven
        return self.reduced(a * b)

    def reduced(self, p: PolyElement) -> PolyElement:
        """With no square of a sine: s² = 1 − c²."""
        for place, cos in self._waves:
            if all(exponents[place] < 2 for exponents in p):
                continue
            powers: dict[int, Any] = {}
            for exponents, value in p.terms():
                low = (*exponents[:place], exponents[place] % 2, *exponents[place + 1 :])
                square = exponents[place] // 2
                powers[square] = powers.get(square, self.ring.zero) + self.ring({low: value})
            p = self.ring.zero
            for square, rest in powers.items():
                if len(rest) * (square + 1) > LARGEST or time.monotonic() > self._end:
                    raise _Unproven
                p = p + rest * (1 - cos**2) ** square
        return p

    def _wave(self, angle: Expression) -> tuple[PolyElement, PolyElement]:
        """Cosine and sine of a sum of joints and right angles."""
        parts = _linear(angle)
        quarter = 2 * parts.pop("pi", Fraction(0))
        if quarter.denominator != 1:
            raise _Unproven
        one, zero = self.ring.one, self.ring.zero
        cos, sin = ((one, zero), (zero, one), (-one, zero), (zero, -one))[quarter.numerator % 4]
        for name, times in parts.items():
            if times.denominator != 1 or abs(times) > 4:
                raise _Unproven
            c, s = self._generators[f"cos {name}"], self._generators[f"sin {name}"]
            s = s if times > 0 else -s
            for _ in range(abs(times.numerator)):
                cos, sin = self.times(cos, c) - self.times(sin, s), self.times(sin, c) + self.times(cos, s)
        return cos, sin


def _linear(angle: Expression) -> dict[str, Fraction]:
    """How often each joint, by number, and pi stand in an angle."""
    if angle.head == JOINT and angle.order == 0:
        return {str(angle.index): Fraction(1)}
    if angle.head == LETTER and angle.value == "pi":
        return {"pi": Fraction(1)}
    if angle.head == NUMBER and angle.value == 0:
        return {}
    if angle.head == SUM:
        found: dict[str, Fraction] = {}
        for part in angle.arguments:
            for name, times in _linear(part).items():
                found[name] = found.get(name, Fraction(0)) + times
        return found
    if angle.head in (PRODUCT, QUOTIENT):
        numbers = [part for part in angle.arguments if part.head == NUMBER]
        others = [part for part in angle.arguments if part.head != NUMBER]
        divided = angle.head == QUOTIENT and angle.arguments[1].head == NUMBER and angle.arguments[1].value
        if len(others) == 1 and (angle.head == PRODUCT or divided):
            scale = Fraction(1)
            for part in numbers:
                scale = scale / Fraction(part.value) if angle.head == QUOTIENT else scale * Fraction(part.value)
            return {name: times * scale for name, times in _linear(others[0]).items()}
    raise _Unproven
