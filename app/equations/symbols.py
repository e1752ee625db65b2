"""A formula as a row of symbols, each with its number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from armature.engine.formulas.factor import Factor
from armature.engine.formulas.formula import Formula
from armature.engine.formulas.typeset import coefficient, in_order, power_in_latex, summands

DIGITS = 4


@dataclass(frozen=True)
class Symbol:
    """`latex`, and what its number is: a power of a factor, a constant `value`, or none.

    A line may break where a term `begins`.
    """

    latex: str
    factor: Factor | None = None
    power: int = 1
    value: float | None = None
    begins: bool = False


def symbols_of(formula: Formula) -> list[Symbol]:
    """The symbols of a formula that is one number, in the order of its LaTeX."""
    found: list[Symbol] = []
    for monomial, value in in_order(formula.terms()):
        for part in [value] if monomial else summands(value):
            head = coefficient(part, DIGITS, not monomial)
            minus = head.startswith("-")
            if found or minus:
                found.append(Symbol("-" if minus else "+", begins=True))
            if head.removeprefix("-"):
                heads = (
                    [Symbol(head.removeprefix("-"))] if isinstance(part, float) else _lettered(formula, -part if minus else part)
                )
                found += [replace(heads[0], begins=not found), *heads[1:]]
            found += [Symbol(power_in_latex(factor, power), factor, power) for factor, power in monomial]
    return found or [Symbol("0", begins=True)]


def _lettered(formula: Formula, value) -> list[Symbol]:
    """A coefficient in letters with its number, what it is multiplied by before it and without one: 1/2, then m1 l1²."""
    factor, rest = value.as_coeff_Mul()
    if not rest.free_symbols:
        return [Symbol(coefficient(value, DIGITS, True))]
    before = [] if factor == 1 else [Symbol(coefficient(factor, DIGITS, True))]
    return [*before, Symbol(coefficient(rest, DIGITS, False), value=formula.number(rest))]


def numbers_of(symbols: Sequence[Symbol], q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> list[float | None]:
    """The number of each symbol in the motion q, qd, qdd `(n,)`."""
    at: dict[Factor, float] = {}
    numbers: list[float | None] = []
    for symbol in symbols:
        factor = symbol.factor
        if factor is None:
            numbers.append(symbol.value)
            continue
        if factor not in at:
            at[factor] = float(factor.values(q[None], qd[None], qdd[None])[0])
        numbers.append(at[factor] ** symbol.power)
    return numbers
