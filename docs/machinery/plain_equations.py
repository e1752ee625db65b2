"""Equations in docstrings are plain text, so that `help()` shows them; here they are found and become TeX.

An equation is the longest run of symbols, numbers, operators and brackets that holds a symbol nobody takes for a word (`qdd`,
`X_WB`, `σ`), a letter beside an operator (`F = m a`) or before a bracket (`M(q)`). Words end it, and so does punctuation outside
of brackets; a word or two within brackets belong to it. Code between backticks never does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from docs.machinery.plain_symbols import FUNCTIONS, LARGE, UPRIGHT, powers, symbol

RELATIONS = {"=": "=", "<": "<", ">": ">"} | {
    sign: rf"\{name}" for sign, name in zip("≤≥∝←→≈∈", ["le", "ge", "propto", "leftarrow", "to", "approx", "in"])
}
OPERATIONS = {"+": "+", "−": "-", "·": r"\cdot", "×*": r"\times^{\ast}", "×": r"\times", "∘": r"\circ", "/": "/", "±": r"\pm"}
PREFIXES = {"∂": r"\partial", "Δ": r"\Delta", "∇": r"\nabla", "d/dt": r"\frac{\mathrm{d}}{\mathrm{d}t}"}
BARS = {"|": "|", "‖": r"\Vert "}
OTHERS = {"…": r"\dots", "½": r"\frac{1}{2}", "∞": r"\infty"}
OPEN, CLOSE = "([{", ")]}"
WORDS_WITHIN = 2  # a bracket with more words is a remark

_UNIT = (
    r"(?:(?:k?g|rad|mrad|mm|m|s|ms|mN|N|J|Hz|A|1)[²³]?[·/])+(?:rad|mm|kg|m|s|N|A|turn)[²³]?(?![\w(])"
    r"|\d[\d.,]*\s?°|±\d+°|±inf|\bm[²³](?=[,.;:]|$| or| for| in)|\(per s(?:, s[²³])*\)|\bs[²³](?!\s*[+=−])"
)
_NAME = (
    r"(?:[A-Za-z]+|[α-ωΑ-Ω∫](?:dot|ddot)?)\d*[₀₁₂₃ᵢₙ₋]*(?:_(?:\{[^}]*\}|[A-Za-z0-9]+))*"
    r"(?:(?<=_[a-z]),[a-z](?![a-z])(?:−\d)?)?(?:'+(?![a-z]))?(?:[ᵀ⁻⁺⁰¹²³⁴⁵⁶#]+|\*(?!\*))?"
)
_TOKEN = re.compile(
    rf"(?P<code>``.*?``|`[^`]*`|\"[^\"\n]*\")|(?P<unit>{_UNIT})|(?P<prefix>d/dt\b|[∂∇]|Δ(?=\w))|(?P<operator>×\*|[=≤≥<>∝←→≈∈+−·×∘/±])|(?P<bar>[|‖])"
    rf"|(?P<number>\d+(?:[.,]\d+)*(?:e-?\d+)?(?![\d.,]*[A-Za-z]{2}))|(?P<other>[…½∞])|(?P<name>{_NAME})|(?P<power>[ᵀ⁻⁺¹²³⁴⁵⁶]+|(?<=[)|‖])[_^][A-Za-z0-9](?![A-Za-z]))|(?P<bracket>[()\[\]{{}}])"
    r"|(?P<space>\s+)|(?P<mark>[,;:])|(?P<text>.)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Piece:
    """Part of a text: TeX where `is_math`, else words as they are."""

    text: str
    is_math: bool


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str

    @property
    def strong(self) -> bool:
        """Whether it is mathematics wherever it stands."""
        if self.kind != "name" or self.symbol is None:
            return self.kind == "prefix"
        word = re.match(r"[A-Za-z]*", self.text)[0]
        return word not in {*FUNCTIONS, *UPRIGHT} and (len(self.text) > 1 or ord(self.text) > 127)

    @property
    def symbol(self) -> str | None:
        return symbol(self.text)

    @property
    def is_word(self) -> bool:
        return self.kind == "name" and self.symbol is None


def pieces(text: str) -> list[Piece]:
    """A text cut into words and equations, in order."""
    tokens = [_Token(found.lastgroup, found[0]) for found in _TOKEN.finditer(text)]
    result: list[Piece] = []
    k = 0
    while k < len(tokens):
        end = _end_of_run(tokens, k)
        if end > k and _is_equation(tokens[k:end]):
            result.append(Piece(_tex(tokens[k:end]), True))
            k = end
        else:
            result.append(Piece(tokens[k].text, False))
            k += 1
    return _joined(result)


def _end_of_run(tokens: list[_Token], start: int) -> int:
    """Behind the last token of the run that begins here; `start` where none does."""
    depth, words, safe, k = 0, 0, start, start
    opened = [start]
    while k < len(tokens):
        token = tokens[k]
        if token.kind in ("code", "unit", "text"):
            break
        if token.kind == "bracket":
            if token.text in OPEN:
                depth, opened, words = depth + 1, [*opened, k], 0
            elif depth == 0:
                break
            else:
                depth, opened = depth - 1, opened[:-1]
        elif token.kind == "mark" and depth == 0:
            break
        elif token.is_word:
            called = k + 1 < len(tokens) and tokens[k + 1].text == "(" and k > start
            held = called or (k > start and _is_operand(tokens, k))
            words += not held
            if not held and (depth == 0 or words > WORDS_WITHIN):
                break
        elif token.kind == "space" and (token.text.count("\n") or len(token.text) > 1) and depth == 0:
            break
        k += 1
        if depth == 0 and token.kind != "space":
            safe = k
    return _trimmed(tokens, start, safe if depth == 0 else min(safe, opened[1] if len(opened) > 1 else safe))


def _is_operand(tokens: list[_Token], k: int) -> bool:
    """Whether a word stands for a quantity: it touches an operator (`−gravity`), or stands alone behind one (`t / duration;`)."""
    before, after = tokens[k - 1], tokens[k + 1] if k + 1 < len(tokens) else _Token("mark", "")
    if "operator" in (before.kind, after.kind):
        return True
    ends = after.kind == "mark" or after.text in (")", ".", "\n")
    return ends and before.kind == "space" and tokens[k - 2].text in ("/", "≤", "−", "+")


def _trimmed(tokens: list[_Token], start: int, end: int) -> int:
    """Without spaces at its end, and without a letter there that may be a word."""
    while end > start:
        last = tokens[end - 1]
        before = next((token for token in reversed(tokens[start : end - 1]) if token.kind != "space"), None)
        follows = before and (before.kind in ("operator", "prefix") or any(token.text == "=" for token in tokens[start:end]))
        loose = last.kind == "name" and last.text in ("a", "A", "I") and not follows
        if last.kind == "space" or loose:
            end -= 1
        else:
            return end
    return end


def _is_equation(run: list[_Token]) -> bool:
    if run[0].kind in ("space", "mark", "power") or (run[0].is_word):
        return False
    if run[0].text in ("a", "A") and len(run) > 2 and run[1].kind == "space" and run[2].kind != "operator":
        return False
    letters = [token for token in run if token.kind in ("name", "prefix") and not token.is_word]
    operators = [token for token in run if token.kind in ("operator", "bar")]
    if run[0].kind == "operator" and run[0].text in "/·":
        return False
    called = any(token in letters and after.text == "(" for token, after in pairwise(run))
    return called or any(token.strong for token in run) or bool(letters and operators)


def _tex(run: list[_Token]) -> str:
    parts: list[str] = []
    k = 0
    while k < len(run):
        if slope := _slope(run, k):
            parts.append(slope)
            k += 5
        else:
            parts.append(_part(run, k))
            k += 1
    return re.sub(r" +", " ", " ".join(parts)).strip()


def _slope(run: list[_Token], k: int) -> str:
    """∂L/∂qd as a fraction, where five tokens from k on are one."""
    here = run[k : k + 5]
    if [token.kind for token in here] != ["prefix", "name", "operator", "prefix", "name"] or here[2].text != "/":
        return ""
    above, below = (f"{PREFIXES[sign.text]} {name.symbol}" for sign, name in (here[:2], here[3:]))
    return rf"\frac{{{above}}}{{{below}}}"


def _part(run: list[_Token], k: int) -> str:
    token = run[k]
    if token.kind == "space":
        return _gap(run, k)
    if token.kind == "name":
        if token.text == "Σ" and any(other.text.startswith("V") for other in run[k + 1 : k + 3]):
            return r"\Sigma"  # U Σ Vᵀ: singular values
        return token.symbol or rf"\mathrm{{{token.text}}}".replace("_", r"\_")
    if token.kind == "power":
        return f"{token.text[0]}{{{token.text[1:]}}}" if token.text[0] in "_^" else powers(token.text)
    if token.kind == "bracket":
        return "\\" + token.text if token.text in "{}" else token.text
    return (RELATIONS | OPERATIONS | PREFIXES | BARS | OTHERS).get(token.text, token.text)


def _gap(run: list[_Token], k: int) -> str:
    """A thin space between factors; none beside operators, which bring their own."""
    before, after = run[k - 1], run[k + 1]
    if "operator" in (before.kind, after.kind):
        return " "
    if before.kind == "mark":
        return r"\;"
    large = before.kind == "name" and before.text[0] in LARGE
    return " " if large else r"\, "


def _joined(parts: list[Piece]) -> list[Piece]:
    """Neighbouring words put together."""
    result: list[Piece] = []
    for part in parts:
        if result and not part.is_math and not result[-1].is_math:
            result[-1] = Piece(result[-1].text + part.text, False)
        else:
            result.append(part)
    assert all(a.is_math or b.is_math for a, b in pairwise(result))
    return result
