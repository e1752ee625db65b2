"""Formulas in LaTeX."""

from __future__ import annotations

from typing import Any

from armature.engine.formulas.factor import Factor, Monomial, Terms

_SHOWN_AS_POWER_OF_TEN = (1e-3, 1e5)


def sum_in_latex(terms: Terms, digits: int) -> str:
    """Return a sum of products, the constant first, then sorted by the number of factors and by size."""
    text = ""
    for part in sum_parts(terms, digits):
        text += part if not text or part.startswith("-") else f" + {part}"
    return text or "0"


def sum_parts(terms: Terms, digits: int) -> list[str]:
    """Return the products of a sum in LaTeX, in order, with minus signs but without plus signs."""
    parts: list[str] = []
    for monomial, value in in_order(terms):
        constants = [value] if monomial else summands(value)
        parts += [_product(monomial, x, digits) for x in constants]
    return parts


def in_order(terms: Terms) -> list[tuple[Monomial, Any]]:
    """Return products with coefficients, the constant first, then sorted by the number of factors and by size."""
    return sorted(terms.items(), key=lambda item: _order(*item))


def matrix_in_latex(rows: list[list[str]]) -> str:
    """Rows of formulas between brackets."""
    body = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


def number(value: float, digits: int) -> str:
    """A number with so many significant digits."""
    low, high = _SHOWN_AS_POWER_OF_TEN
    if value == 0 or low <= abs(value) < high:
        text = f"{value:.{digits}g}"
        return text if "e" not in text else f"{value:.0f}"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return rf"{mantissa.rstrip('0').rstrip('.')} \cdot 10^{{{int(exponent)}}}"


def letters(value) -> str:
    """Return a sympy expression in the order of textbooks: number, masses, moments of inertia, g, lengths."""
    if value.is_Add:
        parts = [letters(x) for x in sorted(value.args, key=_place)]
        return parts[0] + "".join(part if part.startswith("-") else f" + {part}" for part in parts[1:])
    if value.is_Symbol:
        head, index = value.name[0], value.name[1:]
        return head + (f"_{{{index}}}" if index else "")
    if value.is_Pow and value.exp.is_Integer and value.exp > 0:
        base = letters(value.base)
        return rf"\left({base}\right)^{{{value.exp}}}" if value.base.is_Add else f"{base}^{{{value.exp}}}"
    if not value.is_Mul:
        from sympy import latex

        return latex(value)
    number, rest = value.as_coeff_Mul()
    parts = [letters(x) for x in sorted(rest.as_ordered_factors(), key=_place)]
    sums = [x.is_Add for x in sorted(rest.as_ordered_factors(), key=_place)]
    text = r" \, ".join(rf"\left({part}\right)" if is_sum else part for part, is_sum in zip(parts, sums))
    if number in (1, -1):
        return text if number == 1 else f"-{text}"
    return rf"{letters(number)} \, {text}"


def _place(value) -> tuple:
    """Sorting key of a symbol, power, sum or product."""
    names = sorted(x.name for x in value.free_symbols)
    kinds = [{"m": 0, "I": 1, "g": 2}.get(name[0], 3) for name in names]
    return bool(value.is_Mul and value.as_coeff_Mul()[0] < 0), min(kinds, default=-1), names


def _order(monomial: Monomial, value) -> tuple:
    if isinstance(value, float):
        return len(monomial) > 0, -abs(value), [f.order for f, _ in monomial]
    return sum(power for _, power in monomial), [(f.kind, sum(map(abs, f.k)), f.label) for f, _ in monomial]


def coefficient(value, digits: int, alone: bool) -> str:
    """Return the coefficient of a product or a single constant; only the sign for 1 and −1 unless `alone`."""
    if not alone and value in (1, -1):
        return "" if value == 1 else "-"
    if isinstance(value, float):
        return number(value, digits)
    sign = ""
    if value.is_Add and not alone and all(x.as_coeff_Mul()[0] < 0 for x in value.args):
        sign, value = "-", -value
    text = letters(value)
    return rf"{sign}\left({text}\right)" if value.is_Add and not alone else text


def summands(value) -> list:
    """Return the sorted terms of a sum in symbols, or the number alone."""
    return [value] if isinstance(value, float) or not value.is_Add else sorted(value.args, key=_place)


def _product(monomial: Monomial, value, digits: int) -> str:
    factors = r" \, ".join(power_in_latex(f, power) for f, power in monomial)
    head = coefficient(value, digits, not factors)
    return rf"{head} \, {factors}" if factors and head not in ("", "-") else head + factors


def power_in_latex(factor: Factor, power: int) -> str:
    """Return a factor of a product with its power."""
    return factor.latex + (f"^{{{power}}}" if power > 1 else "")
