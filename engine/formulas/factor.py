"""What terms of a formula are products of: sines and cosines of sums of angles, slides, speeds and accelerations."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

COS, SIN, POSITION, SPEED, ACCELERATION = "cos", "sin", "q", "qd", "qdd"
_ORDER = {ACCELERATION: 0, SPEED: 1, POSITION: 2, SIN: 3, COS: 4}


class Factor(NamedTuple):
    """cos(k·q) or sin(k·q) with whole numbers k `(n,)`, or the position, speed or acceleration of the one joint that k names.

    The position of a slide may be told from where its length is 0: `offset` is a letter's name and sign, `shift` its number.
    """

    kind: str
    k: tuple[int, ...]
    offset: str = ""
    shift: float = 0.0

    @property
    def joint(self) -> int:
        """The joint of a position, speed or acceleration."""
        return self.k.index(1)

    @property
    def label(self) -> str:
        """The joints as the books write them, counted from 1: 23 for q2 + q3, 223 for 2 q2 + q3, 2m3 for q2 − q3."""
        return "".join(("m" if k < 0 else "") + str(i + 1) * abs(k) for i, k in enumerate(self.k) if k)

    @property
    def name(self) -> str:
        """The name in generated code: c23, s5, q3, qd2; r2 for d2 + q2."""
        return ("r" if self.offset else {COS: "c", SIN: "s"}.get(self.kind, self.kind)) + self.label

    @property
    def latex(self) -> str:
        """The symbol: c_{23}, q_3, \\dot q_2."""
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
        """Where it stands in a product: accelerations and speeds first, then slides, sines and cosines by joint."""
        return _ORDER[self.kind], tuple(-abs(k) for k in self.k), self.k

    def values(self, q: np.ndarray, qd: np.ndarray | None, qdd: np.ndarray | None) -> np.ndarray:
        """Its values `(N,)` at states `(N, n)`."""
        if self.kind in (COS, SIN):
            return (np.cos if self.kind == COS else np.sin)(q @ np.array(self.k, float))
        states = {POSITION: q, SPEED: qd, ACCELERATION: qdd}[self.kind]
        assert states is not None, "the formula needs them"
        return states[:, self.joint] + self.shift


Monomial = tuple[tuple[Factor, int], ...]
"""A product of factors, each with its power, in the order of `Factor.order`."""

Terms = dict[Monomial, Any]
"""A sum: the coefficient of each product, a float, or a sympy expression in the arm's letters."""


def product(*monomials: Monomial) -> Monomial:
    """The product of products."""
    powers: dict[Factor, int] = {}
    for monomial in monomials:
        for factor, power in monomial:
            powers[factor] = powers.get(factor, 0) + power
    return tuple(sorted(powers.items(), key=lambda item: item[0].order))


def unit(kind: str, joint: int, n: int) -> Monomial:
    """The position, speed or acceleration of one joint."""
    return ((Factor(kind, tuple(int(i == joint) for i in range(n))), 1),)


def angle(k: tuple[int, ...]) -> tuple[Monomial, Monomial]:
    """cos(k·q) and sin(k·q)."""
    return ((Factor(COS, k), 1),), ((Factor(SIN, k), 1),)
