"""One symbol of an equation in plain text, as docstrings write it, as TeX: `qdd` is \\ddot{q}, `X_WB` is X_{WB}."""

from __future__ import annotations

import re

DOTTED = {
    **{f"{letter}d": rf"\dot{{{letter}}}" for letter in "qwrx"},
    **{f"{letter}dot": rf"\dot{{{letter}}}" for letter in "MJEp"},
    **{f"d{letter}": rf"\mathrm{{d}}{letter}" for letter in "mtqw"},
    "qdd": r"\ddot{q}",
    "qddd": r"\dddot{q}",
    "pddot": r"\ddot{p}",
    "φdot": r"\dot{\varphi}",
    "φddot": r"\ddot{\varphi}",
}
_SIGNS = "αθστλΛμνξφεωπΔρ"
_NAMES = "alpha|theta|sigma|tau|lambda|Lambda|mu|nu|xi|varphi|varepsilon|omega|pi|Delta|rho".split("|")  # noqa: SIM905 - one line
GREEK = {key: rf"\{name}" for key, name in (*zip(_SIGNS, _NAMES), *((word, word) for word in (*_NAMES, "beta")))}
PAIRS = {"Kp": "p", "Kd": "d", "Ki": "i", "Fv": "v", "Fc": "c", "Ia": "a"}
FUNCTIONS = {name: rf"\{name}" for name in ["cos", "sin", "log", "exp", "min", "max", "det", "arccos"]}
UPRIGHT = {"diag", "sign", "round", "rotor", "Rot", "Trans", "RNEA", "rnea", "mass", "slerp", "friction", "condition"}
LARGE = {"Σ": r"\sum", "Π": r"\prod", "∫": r"\int"}
POWERS = dict(zip("⁰¹²³⁴⁵⁶⁻⁺", "0123456-+")) | {"ᵀ": r"\mathsf{T}", "*": r"\ast", "#": r"\#"}
INDICES = dict(zip("₀₁₂₃ᵢₙ₋", "0123in-"))
WORDS_BELOW = {"ext", "kin", "pot", "min", "max", "friction", "rotor", "subtree", "children", "null", "target", "cutoff"}

_SYMBOL = re.compile(
    r"(?P<head>[A-Za-z]+|[α-ωΑ-Ω∫](?:dot|ddot)?)(?P<digits>\d+)?"
    rf"(?P<below>[{''.join(INDICES)}]+)?(?P<subs>(?:_(?:\{{[^}}]*\}}|[A-Za-z0-9]+))*)(?P<more>(?:,[a-zA-Z](?:[−+]\d)?)?)"
    r"(?P<primes>'+)?(?P<above>[ᵀ⁻⁺⁰¹²³⁴⁵⁶*#]+)?"
)


def symbol(text: str) -> str | None:
    """A name with its indices and powers as TeX, or None where it is none that equations have."""
    found = _SYMBOL.fullmatch(text)
    head = _head(found["head"], bool(found["above"])) if found else None
    if head is None:
        return None
    below = _below(found)
    above = "".join(POWERS[mark] for mark in found["above"] or "")
    return head + (found["primes"] or "") + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def powers(marks: str) -> str:
    """What stands high after a bracket: `⁻¹` as ^{-1}."""
    return f"^{{{''.join(POWERS[mark] for mark in marks)}}}"


def _head(name: str, raised: bool) -> str | None:
    if name == "Σ" and raised:  # singular values, not a sum
        return r"\Sigma"
    for table in (DOTTED, GREEK, FUNCTIONS, LARGE):
        if name in table:
            return table[name]
    if name in UPRIGHT:
        return rf"\mathrm{{{name}}}"
    if name in PAIRS:
        return name[0]
    return name if len(name) == 1 else None


def _below(found: re.Match) -> str:
    parts = [PAIRS.get(found["head"], ""), found["digits"] or "", "".join(INDICES[mark] for mark in found["below"] or "")]
    for part in filter(None, re.split(r"_(?![^{]*\})", found["subs"] or "")):
        bare = part.strip("{}")
        word = bare in WORDS_BELOW or (len(bare) > 3 and bare.isalpha())
        parts.append(rf"\mathrm{{{bare}}}" if word else DOTTED.get(bare, GREEK.get(bare, bare)))
    return ",".join(filter(None, parts)) + (found["more"] or "").replace("−", "-")
