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


def _order(monomial: Monomial, value) -> tuple:
    size = abs(value) if isinstance(value, float) else 0.0
    return len(monomial) > 0, sum(power for _, power in monomial) if size == 0.0 else 0, -size, [f.order for f, _ in monomial]


def _product(monomial: Monomial, value, digits: int) -> str:
    factors = r" \, ".join(f.latex + (f"^{{{power}}}" if power > 1 else "") for f, power in monomial)
    if factors and value == 1:
        return factors
    if factors and value == -1:
        return f"-{factors}"
    if isinstance(value, float):
        text = number(value, digits)
    else:
        from sympy import latex

        text = latex(value)
        if value.is_Add and factors:
            text = rf"\left({text}\right)"
    return rf"{text} \, {factors}" if factors else text
