"""Factors of a term, and nested sums of terms."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

COS, SIN, POSITION, SPEED, ACCELERATION = "cos", "sin", "q", "qd", "qdd"
_ORDER = {ACCELERATION: 0, SPEED: 1, POSITION: 2, SIN: 3, COS: 4}


class Factor(NamedTuple):
    """cos(k·q) or sin(k·q) with integers k `(n,)`, or the position, speed or acceleration of the joint i with k_i = 1.

    The position of a slide may include its length at q = 0: `offset` is the symbol with its sign, `shift` its value in m.
    """

    kind: str
    k: tuple[int, ...]
    offset: str = ""
    shift: float = 0.0

    @property
    def joint(self) -> int:
        """Index of the joint of a position, speed or acceleration."""
        return self.k.index(1)

    @property
    def label(self) -> str:
        """Joint numbers in the notation of textbooks, from 1: 23 for q2 + q3, 223 for 2 q2 + q3, 2m3 for q2 − q3."""
        return "".join(("m" if k < 0 else "") + str(i + 1) * abs(k) for i, k in enumerate(self.k) if k)

    @property
    def name(self) -> str:
        """Name in generated code: c23, s5, q3, qd2; r2 for d2 + q2."""
        return ("r" if self.offset else {COS: "c", SIN: "s"}.get(self.kind, self.kind)) + self.label

    @property
    def latex(self) -> str:
        """Symbol in LaTeX: c_{23}, q_3, \\dot q_2."""
        label = self.label.replace("m", "-")
        index = label if len(label) == 1 else f"{{{label}}}"
        head = {COS: "c", SIN: "s", POSITION: "q", SPEED: r"\dot q", ACCELERATION: r"\ddot q"}
        symbol = f"{head[self.kind]}_{index}"
        if not self.offset:
            return symbol
        sign, name = ("-", self.offset[1:]) if self.offset[0] == "-" else ("", self.offset)
        text = f"{symbol} - {name[0]}_{{{name[1:]}}}" if sign else f"{name[0]}_{{{name[1:]}}} + {symbol}"
        return rf"\left({text}\right)"

    @property
    def order(self) -> tuple:
        """Sorting key in a product: accelerations and speeds first, then slides, sines and cosines by joint."""
        return _ORDER[self.kind], tuple(-abs(k) for k in self.k), self.k

    def values(self, q: np.ndarray, qd: np.ndarray | None, qdd: np.ndarray | None) -> np.ndarray:
        """Return the factor's values `(N,)` at N states q, qd, qdd `(N, n)`."""
        if self.kind in (COS, SIN):
            return (np.cos if self.kind == COS else np.sin)(q @ np.array(self.k, float))
        states = {POSITION: q, SPEED: qd, ACCELERATION: qdd}[self.kind]
        assert states is not None, "the formula needs them"
        return states[:, self.joint] + self.shift


Monomial = tuple[tuple[Factor, int], ...]
"""A product of factors, each with its power, in the order of `Factor.order`."""

Terms = dict[Monomial, Any]
"""A sum: the coefficient of each product, a float or a sympy expression in the arm's symbols."""


def product(*monomials: Monomial) -> Monomial:
    """Return the product of products."""
    powers: dict[Factor, int] = {}
    for monomial in monomials:
        for factor, power in monomial:
            powers[factor] = powers.get(factor, 0) + power
    return tuple(sorted(powers.items(), key=lambda item: item[0].order))


def unit(kind: str, joint: int, n: int) -> Monomial:
    """Return the position, speed or acceleration of one joint."""
    return ((Factor(kind, tuple(int(i == joint) for i in range(n))), 1),)


def angle(k: tuple[int, ...]) -> tuple[Monomial, Monomial]:
    """Return cos(k·q) and sin(k·q)."""
    return ((Factor(COS, k), 1),), ((Factor(SIN, k), 1),)


@dataclass(frozen=True)
class Nest:
    """Nested sum: Σ coefficient × factors + Σ factor × (another nested sum)."""

    products: tuple[tuple[object, tuple[Factor, ...]], ...]
    nests: tuple[tuple[Factor, Nest], ...]

    @property
    def operations(self) -> tuple[int, int]:
        """Numbers of multiplications and additions; coefficients 1 and −1 need no multiplication."""
        times = sum(len(factors) - int(value in (1, -1) and bool(factors)) for value, factors in self.products)
        plus = max(0, len(self.products) + len(self.nests) - 1)
        for _, nest in self.nests:
            more = nest.operations
            times, plus = times + more[0] + 1, plus + more[1]
        return times, plus


def nest(terms: Terms) -> Nest:
    """Factor out the factor that most terms share, and repeat this inside and outside the parentheses."""
    rest, nests = dict(terms), []
    while len(rest) > 1:
        shared = Counter(factor for monomial in rest for factor, _ in monomial)
        if not shared:
            break
        factor, count = max(shared.items(), key=lambda item: (item[1], item[0].order))
        if count < 2:
            break
        inside = {monomial: value for monomial, value in rest.items() if any(f == factor for f, _ in monomial)}
        rest = {monomial: value for monomial, value in rest.items() if monomial not in inside}
        nests.append((factor, nest({_without(monomial, factor): value for monomial, value in inside.items()})))
    products = tuple((value, tuple(f for f, power in monomial for _ in range(power))) for monomial, value in rest.items())
    return Nest(products, tuple(nests))


def _without(monomial: Monomial, factor: Factor) -> Monomial:
    """Return the product divided by one of its factors."""
    return tuple((f, power - (f == factor)) for f, power in monomial if f != factor or power > 1)
