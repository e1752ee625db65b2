"""Sums of products with what their terms share taken out, so that they cost few multiplications."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from armature.engine.formulas.factor import Factor, Monomial, Terms


@dataclass(frozen=True)
class Nest:
    """Σ coefficient × factors + Σ factor × (a nest of its own)."""

    products: tuple[tuple[object, tuple[Factor, ...]], ...]
    nests: tuple[tuple[Factor, Nest], ...]

    @property
    def operations(self) -> tuple[int, int]:
        """Multiplications and additions; a coefficient 1 or −1 multiplies nothing."""
        times = sum(len(factors) - int(value in (1, -1) and bool(factors)) for value, factors in self.products)
        plus = max(0, len(self.products) + len(self.nests) - 1)
        for _, nest in self.nests:
            more = nest.operations
            times, plus = times + more[0] + 1, plus + more[1]
        return times, plus


def nested(terms: Terms) -> Nest:
    """The factor that most terms share is taken out of them, and so on with what is left inside and outside."""
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
        nests.append((factor, nested({_without(monomial, factor): value for monomial, value in inside.items()})))
    products = tuple((value, tuple(f for f, power in monomial for _ in range(power))) for monomial, value in rest.items())
    return Nest(products, tuple(nests))


def _without(monomial: Monomial, factor: Factor) -> Monomial:
    """The product divided by one of its factors."""
    return tuple((f, power - (f == factor)) for f, power in monomial if f != factor or power > 1)
