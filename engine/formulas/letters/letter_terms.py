"""Polynomials of a lettered arm as sums that read like a textbook's: c12, s2, and coefficients in letters."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np
from sympy import Expr, Symbol
from sympy import factor as factored
from sympy.polys.rings import PolyElement, PolyRing

from armature.engine.formulas.factor import ACCELERATION, POSITION, SPEED, Factor, Terms, product, unit
from armature.engine.formulas.letters.lettered_arm import LetteredArm
from armature.engine.formulas.parallel_axes import parallel_groups
from armature.engine.formulas.readable_terms import readable_terms
from armature.engine.formulas.series import Series, along


class LetterTerms:
    """Writes polynomials of one arm; `names` gives letters other names."""

    def __init__(self, arm: LetteredArm, names: dict[str, str]):
        self.arm, self.n = arm, arm.robot.n
        self.groups = parallel_groups(arm.robot)
        self.count = len(arm.values)
        self.letters = PolyRing([Symbol(names.get(name, name), positive=True) for name in arm.values], arm.ring.domain)
        self.slides = tuple(bool(x) for x in arm.robot.prismatic)
        self.lengths = {i: length for i in range(self.n) if self.slides[i] and (length := self._length(i)) is not None}

    def terms(self, p: PolyElement) -> Terms:
        """The polynomial as a sum with the fewest products, grouped by speeds and accelerations."""
        n = self.n
        parts: dict[tuple[int, ...], list] = {}
        for exponents, value in p.terms():
            moving = exponents[self.count + 3 * n :]
            parts.setdefault(moving, []).append((exponents, value))
        found: Terms = {}
        for moving, part in sorted(parts.items(), reverse=True):
            motion = [
                unit(SPEED, i % n, n) if i < n else unit(ACCELERATION, i % n, n) for i in range(2 * n) for _ in range(moving[i])
            ]
            for monomial, value in self._shortest(self._series(part)).items():
                found[product(monomial, *motion)] = textbook(value.as_expr())
        return found

    def _shortest(self, series: Series) -> Terms:
        """In powers of q of the slides, or of their whole lengths d + q where that needs no more terms."""
        best = readable_terms(series, self.groups)
        positions: dict[int, Factor] = {}
        for i, (factor, d) in self.lengths.items():
            longer = Series(series.slides, along(_powers_of_length(d, series.coefficients.shape[i]), series.coefficients, i))
            terms = readable_terms(longer, self.groups, positions={**positions, i: factor})
            if len(terms) <= len(best):
                best, series, positions = terms, longer, {**positions, i: factor}
        return best

    def _length(self, i: int) -> tuple[Factor, PolyElement] | None:
        """The letter that stands for the slide's length at q = 0, as part of a factor and as a polynomial."""
        X = self.arm.placements[i]
        terms = (X[:3, 2] @ X[:3, 3]).terms()
        if len(terms) != 1 or sum(terms[0][0]) != 1 or abs(terms[0][1]) != 1:
            return None
        exponents, sign = terms[0]
        letter = exponents.index(1)
        name, value = self.letters.symbols[letter].name, float(sign) * list(self.arm.values.values())[letter]
        k = tuple(int(j == i) for j in range(self.n))
        return Factor(POSITION, k, name if sign > 0 else f"-{name}", value), self.letters({exponents[: self.count]: sign})

    def _series(self, part: list) -> Series:
        """The Fourier series in every joint that turns, the polynomial in every one that slides."""
        n, count = self.n, self.count
        degrees = [0] * n
        for exponents, _ in part:
            for i in range(n):
                degrees[i] = max(degrees[i], self._degree(exponents, i))
        shape = [d + 1 if slide else 2 * d + 1 for d, slide in zip(degrees, self.slides)]
        C = np.full(shape, self.letters.zero, object)
        for exponents, value in part:
            coefficient = self.letters({exponents[:count]: value})
            waves = [self._wave(exponents, i, size) for i, size in enumerate(shape)]
            for place in np.ndindex(*(len(wave) for wave in waves)):
                factors = [wave[k][1] for wave, k in zip(waves, place)]
                at = tuple(wave[k][0] for wave, k in zip(waves, place))
                scale = factors[0]
                for x in factors[1:]:
                    scale = scale * x
                C[at] += coefficient * scale
        return Series(self.slides, C)

    def _degree(self, exponents: tuple[int, ...], i: int) -> int:
        n, count = self.n, self.count
        if self.slides[i]:
            return exponents[count + 2 * n + i]
        return exponents[count + i] + exponents[count + n + i]

    def _wave(self, exponents: tuple[int, ...], i: int, size: int) -> list[tuple[int, object]]:
        """cos^a sin^b as places and values in the basis of joint i; a power of q for a slide."""
        n, count, one = self.n, self.count, self.arm.ring.domain(1)
        if self.slides[i]:
            return [(exponents[count + 2 * n + i], one)]
        wave = {0: one}
        for power, step in ((exponents[count + i], _times_cos), (exponents[count + n + i], _times_sin)):
            for _ in range(power):
                wave = _shifted(wave, step, one / 2)
        return [(place, value) for place, value in wave.items() if value]


def _powers_of_length(d: PolyElement, count: int) -> np.ndarray:
    """q^k = Σ_j (k over j) (d + q)^j (−d)^(k−j), column k."""
    T = np.full((count, count), 0 * d, object)
    for k in range(count):
        for j in range(k + 1):
            T[j, k] = comb(k, j) * (-d) ** (k - j)
    return T


def _shifted(wave: dict, step: Callable[[int], list[tuple[int, int]]], half) -> dict:
    out: dict = {}
    for place, value in wave.items():
        for to, twice in step(place):
            out[to] = out.get(to, 0) + value * twice * half
    return out


def _times_cos(place: int) -> list[tuple[int, int]]:
    """2 cos q times the function at a place of the basis 1, cos q, sin q, cos 2q, sin 2q …"""
    if place == 0:
        return [(1, 2)]
    k, is_sin = (place + 1) // 2, place % 2 == 0
    if k == 1:
        return [(4, 1)] if is_sin else [(3, 1), (0, 1)]
    return [(place + 2, 1), (place - 2, 1)]


def _times_sin(place: int) -> list[tuple[int, int]]:
    """2 sin q times the same: 2 sin cos kq = sin (k + 1)q − sin (k − 1)q,  2 sin sin kq = cos (k − 1)q − cos (k + 1)q."""
    if place == 0:
        return [(2, 2)]
    k, is_sin = (place + 1) // 2, place % 2 == 0
    if is_sin:
        return [(2 * (k - 1) - 1 if k > 1 else 0, 1), (2 * (k + 1) - 1, -1)]
    return [(2 * (k + 1), 1)] if k == 1 else [(2 * (k + 1), 1), (2 * (k - 1), -1)]


def textbook(value: Expr) -> Expr:
    """The shortest of: as it is, factored, and masses collected before what they share."""
    return min([factored(value), _masses_collected(value), value], key=lambda x: x.count_ops())


def _masses_collected(value: Expr) -> Expr:
    groups: dict[Expr, Expr] = {}
    for term in value.as_ordered_terms():
        masses, others = _split(term)
        groups[others] = groups.get(others, 0) + masses
    return sum(masses * others for others, masses in groups.items())


def _split(term: Expr) -> tuple[Expr, Expr]:
    """Masses, with the number, and the rest of a product."""
    masses, others = term.as_coeff_Mul()[0], 1
    for x in term.as_coeff_Mul()[1].as_ordered_factors():
        if getattr(x, "name", "").startswith("m"):
            masses *= x
        else:
            others *= x
    return masses, others
