"""Formulas in LaTeX."""

from __future__ import annotations

from armature.engine.formulas.factor import Monomial, Terms

_SHOWN_AS_POWER_OF_TEN = (1e-3, 1e5)


def sum_in_latex(terms: Terms, digits: int) -> str:
    """A sum of products, the constant first, then by the number of factors and by size."""
    text = ""
    for monomial, value in sorted(terms.items(), key=lambda item: _order(*item)):
        part = _product(monomial, value, digits)
        text += part if not text or part.startswith("-") else f" + {part}"
    return text or "0"


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
    """A sympy expression in letters as books write products: number, masses, moments of inertia, g, lengths."""
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
    """Where a letter, power, sum or product stands in a product or a sum."""
    names = sorted(x.name for x in value.free_symbols)
    kinds = [{"m": 0, "I": 1, "g": 2}.get(name[0], 3) for name in names]
    return bool(value.is_Mul and value.as_coeff_Mul()[0] < 0), min(kinds, default=-1), names


def _order(monomial: Monomial, value) -> tuple:
    if isinstance(value, float):
        return len(monomial) > 0, -abs(value), [f.order for f, _ in monomial]
    return sum(power for _, power in monomial), [(f.kind, sum(map(abs, f.k)), f.label) for f, _ in monomial]


def _product(monomial: Monomial, value, digits: int) -> str:
    factors = r" \, ".join(f.latex + (f"^{{{power}}}" if power > 1 else "") for f, power in monomial)
    if factors and value == 1:
        return factors
    if factors and value == -1:
        return f"-{factors}"
    if isinstance(value, float):
        text = number(value, digits)
    else:
        sign = ""
        if value.is_Add and factors and all(x.as_coeff_Mul()[0] < 0 for x in value.args):
            sign, value = "-", -value
        text = letters(value)
        if value.is_Add and factors:
            text = rf"{sign}\left({text}\right)"
    return rf"{text} \, {factors}" if factors else text
