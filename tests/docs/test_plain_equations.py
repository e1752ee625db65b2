"""Equations of docstrings as TeX: what is one, what is none, and how each sign is set."""

from __future__ import annotations

import inspect

import pytest

import armature
from docs.machinery.docstring_markup import as_rst
from docs.machinery.plain_equations import pieces


def tex(text: str) -> list[str]:
    """The equations in a text, without the spaces that TeX does not count."""
    return ["".join(piece.text.split()) for piece in pieces(text) if piece.is_math]


@pytest.mark.parametrize(
    ("plain", "wanted"),
    [
        ("tau = M(q) qdd + g(q)", r"\tau=M(q)\,\ddot{q}+g(q)"),
        ("X_WF = X_WB(q) X_BF", r"X_{WF}=X_{WB}(q)\,X_{BF}"),
        ("∂tau/∂q", r"\frac{\partial\tau}{\partialq}"),
        ("d/dt ∂L/∂qd", r"\frac{\mathrm{d}}{\mathrm{d}t}\,\frac{\partialL}{\partial\dot{q}}"),
        ("S J = U Σ Vᵀ", r"S\,J=U\,\SigmaV^{\mathsf{T}}"),
        ("C_kj = Σ_i c_kij qd_i", r"C_{kj}=\sum_{i}c_{kij}\,\dot{q}_{i}"),
        ("(A Aᵀ + μ 1)⁻¹ e", r"(A\,A^{\mathsf{T}}+\mu\,1)^{-1}\,e"),
        ("a = −gravity", r"a=-\mathrm{gravity}"),
        ("u = t / duration", r"u=t/\mathrm{duration}"),
        ("tau − f_ext_i", r"\tau-f_{\mathrm{ext},i}"),
        ("(C qd)_k = 0", r"(C\,\dot{q})_{k}=0"),
        ("σ_min < 1e-9", r"\sigma_{\mathrm{min}}<1e-9"),
    ],
)
def test_an_equation_is_set(plain, wanted):
    assert tex(plain) == [wanted]


@pytest.mark.parametrize(
    ("text", "equations"),
    [
        ("J_i = (z_i, 0) for a prismatic joint, and r = p for a slide.", [r"J_{i}=(z_{i},\;0)", "r=p"]),
        ("0 at rest, where friction takes any value; see `rnea(q, qd, qdd)`", []),
        ("rad or m (per s, s²), N·m/rad, 1 to 100, ±90°, a pose and I", []),
        ("unbalanced = tau − Jᵀ w moves it", [r"=\tau-J^{\mathsf{T}}\,w"]),
        ("V = h³ (cells that are well inside + others)", ["V=h^{3}"]),
        ('one of "qd" and "σ_min"', []),
    ],
)
def test_words_are_none(text, equations):
    assert tex(text) == equations


@pytest.mark.parametrize("text", ["tau = M(q) qdd, which `rnea` gives", "(a, b and |e| within * or _ of x_i", "a ] b ) = c"])
def test_nothing_is_lost(text):
    assert "".join(piece.text for piece in pieces(text) if not piece.is_math).strip() or tex(text)
    assert [piece.text for piece in pieces("no equation here")] == ["no equation here"]


def documented() -> list[str]:
    return [name for name in armature.__all__ if name != "__version__"]


@pytest.mark.parametrize("name", documented())
def test_every_public_name_has_words_and_balanced_equations(name):
    text = inspect.getdoc(getattr(armature, name)) or ""
    assert text.strip()
    for piece in pieces(text):
        if piece.is_math:
            assert piece.text.count("{") == piece.text.count("}")
            assert sum(map(piece.text.count, "([")) == sum(map(piece.text.count, ")]")), piece.text


def test_sections_become_fields():
    lines = as_rst(inspect.getdoc(armature.rnea), {"DimensionError", "MissingDynamicsError", "rnea"})
    text = "\n".join(lines)
    assert ".. rst-class:: equation" in lines and any(line.startswith(r"| \ :math:`\tau = M") for line in lines)
    assert ":Arguments:" in lines and "    * **q, qd, qdd**: joint positions" in text
    assert ":py:obj:`~armature.DimensionError`" in text and "``(n,)``" in text
    assert "table 5.1" in text and ":Source:" in lines


def test_a_name_that_a_value_has_itself_is_no_link():
    assert ":py:obj:" in "\n".join(as_rst("as `singularity`", {"singularity"}))
    assert ":py:obj:" not in "\n".join(as_rst("as `singularity`", set()))
