"""Reads formulas as people type them: m1 l1^2 qdd1 + (m1 + m2) g c12, θ̇², ½ m v², sin q1."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from fractions import Fraction

from armature.app.questions.expression import FUNCTIONS, JOINT, LETTER, NUMBER, POWER, PRODUCT, QUOTIENT, SUM, Expression
from armature.engine.errors import EngineError, one_line

LONGEST, DEEPEST, HIGHEST = 500, 40, 8  # characters, brackets within brackets, exponent
MINUS = Expression(NUMBER, value=Fraction(-1))

_WRITTEN = str.maketrans(
    {
        "·": "*",
        "×": "*",
        "∙": "*",
        "⋅": "*",
        "−": "-",
        "–": "-",
        "÷": "/",
        "[": "(",
        "]": ")",
        "½": "(1/2)",
        "¼": "(1/4)",
        "²": "^2",
        "³": "^3",
        "⁴": "^4",
        "\u0307": "d",
        "\u0308": "dd",
        "\\": " ",
        "√": "sqrt",
        **{down: str(k) for k, down in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    }
)
_GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "θ": "theta", "ϑ": "theta", "φ": "phi", "ϕ": "phi", "ψ": "psi", "π": "pi"}
_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z]\w*)|(\*\*|[-+*/^(),;]))", re.ASCII)
_JOINT = re.compile(r"(q|qd|qdd|dq|ddq)(\d)")
_WAVE = re.compile(r"([sc])(\d+)")
_ORDERS = {"q": 0, "qd": 1, "dq": 1, "qdd": 2, "ddq": 2}


class Misread(EngineError):
    """A text that is no formula; says why in one sentence."""


def parse(text: str, joints: int, letters: Mapping[str, float | str] | None = None) -> Expression:
    """The formula that a text is, of the `letters` by name and the joints of an arm.

    q1, qd1 and qdd1 are position, speed and acceleration; s12 is sin(q1 + q2). A letter whose value is "q1" is another name of
    that joint, and with d and dd at its end of speed and acceleration. Raises Misread.
    """
    return _Reader(text, joints, letters or {}).whole()


class _Reader:
    def __init__(self, text: str, joints: int, letters: Mapping[str, float | str]):
        self._joints, self._letters, self._depth, self._at = joints, letters, 0, 0
        if len(text) > LONGEST:
            raise Misread(f"The formula is longer than {LONGEST} characters.")
        self._tokens = _tokens(_plain(text))
        if not self._tokens:
            raise Misread("The field is empty.")

    def whole(self) -> Expression:
        found = self._sum()
        if self._at < len(self._tokens):
            raise Misread(f"A number or symbol is missing before “{self._tokens[self._at][1]}”.")
        return found

    @property
    def _next(self) -> tuple[str, str]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("", "")

    def _take(self, *texts: str) -> str:
        kind, text = self._next
        if kind != "sign" or text not in texts:
            return ""
        self._at += 1
        return text

    def _sum(self) -> Expression:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Misread("The brackets are nested too deeply.")
        parts = [self._product()]
        while sign := self._take("+", "-"):
            part = self._product()
            parts.append(part if sign == "+" else _negative(part))
        self._depth -= 1
        return parts[0] if len(parts) == 1 else Expression(SUM, tuple(parts))

    def _product(self) -> Expression:
        """Factors with * or nothing between them; what follows a / is one factor: 1/2 m is (1/2) m."""
        if self._take("-"):
            return _negative(self._product())
        if self._take("+"):
            return self._product()
        found = self._power()
        while True:
            if self._take("/"):
                found = Expression(QUOTIENT, (found, self._factor()))
            elif self._take("*"):
                found = _times(found, self._factor())
            elif self._next[0] in ("number", "name") or self._next[1] == "(":
                found = _times(found, self._power())
            else:
                return found

    def _factor(self) -> Expression:
        if self._take("-"):
            return _negative(self._factor())
        return self._power()

    def _power(self) -> Expression:
        base = self._atom()
        return self._raised(base)

    def _raised(self, base: Expression) -> Expression:
        if not self._take("^", "**"):
            return base
        negative = bool(self._take("-"))
        exponent = _constant(self._atom())
        if exponent is None or abs(exponent) > HIGHEST:
            raise Misread(f"An exponent must be a number of at most {HIGHEST}.")
        return Expression(POWER, (base, Expression(NUMBER, value=-exponent if negative else exponent)))

    def _atom(self) -> Expression:
        kind, text = self._next
        self._at += 1
        if kind == "number":
            return Expression(NUMBER, value=_number(text))
        if kind == "name":
            return self._function(text) if text in FUNCTIONS else self._name(text)
        if text == "(":
            found = self._sum()
            self._close()
            return found
        self._at -= 1
        raise Misread(f"A number or symbol is missing before “{text}”." if text else "A number or symbol is missing at the end.")

    def _close(self) -> None:
        if not self._take(")"):
            raise Misread("A bracket is not closed.")

    def _function(self, name: str) -> Expression:
        """sin(q1), sin q1, sin^2(q1); atan2(y, x)."""
        square = self._take("^", "**")
        power = _constant(self._atom()) if square else None
        if square and power != 2:
            raise Misread(f"Write powers of {name} as {name}(q1)^3.")
        if not self._take("("):
            found = [self._atom()]
        else:
            found = [self._sum()]
            while self._take(",", ";"):
                found.append(self._sum())
            self._close()
        if len(found) != (2 if name == "atan2" else 1):
            raise Misread(f"{name} needs {'two arguments: atan2(y, x)' if name == 'atan2' else 'one argument'}.")
        made = Expression(name, tuple(found))
        return made if power is None else Expression(POWER, (made, Expression(NUMBER, value=power)))

    def _name(self, name: str) -> Expression:
        """A letter, a joint under one of its names, or s12 and c12."""
        if name in self._letters:
            value = self._letters[name]
            return self._joint(name, value, 0) if isinstance(value, str) else Expression(LETTER, value=name)
        for order, ending in ((2, "dd"), (1, "d")):
            base = name.removesuffix(ending)
            known = self._letters.get(base)
            if base != name and isinstance(known, str):
                return self._joint(base, known, order)
        if name == "pi":
            return Expression(LETTER, value=name)
        if match := _JOINT.fullmatch(name):
            return self._joint(f"q{match[2]}", f"q{match[2]}", _ORDERS[match[1]])
        if match := _WAVE.fullmatch(name):
            parts = tuple(self._joint(f"q{k}", f"q{k}", 0) for k in match[2])
            return Expression({"s": "sin", "c": "cos"}[match[1]], (parts[0] if len(parts) == 1 else Expression(SUM, parts),))
        raise Misread(f"“{one_line(name, 30)}” is unknown. {self._known()}")

    def _joint(self, shown: str, name: str, order: int) -> Expression:
        index = int(name[1:]) - 1
        if not 0 <= index < self._joints:
            raise Misread(f"Joint {index + 1} does not exist: the joints are numbered 1 to {self._joints}.")
        return Expression(JOINT, value=shown, order=order, index=index)

    def _known(self) -> str:
        letters = ", ".join(self._letters)
        joints = "q1, qd1, qdd1, s1, c12 …" if self._joints else ""
        known = "; ".join(filter(None, [letters, joints]))
        return f"Known symbols: {known}. Separate factors by a space or *." if known else "Enter a number."


def _plain(text: str) -> str:
    """Greek, dots, superscripts and LaTeX's braces in plain characters."""
    text = unicodedata.normalize("NFD", text)
    for sign, name in _GREEK.items():
        text = text.replace(sign, name)
    text = re.sub(r"([\d₀-₉])([\u0307\u0308])", r"\2\1", text)  # q1 with a dot on it is qd1
    text = text.translate(_WRITTEN)
    text = re.sub(r"_\{?(\w+)\}?", r"\1", text)
    return re.sub(r"(?<=\d),(?=\d)", ".", text) if "atan2" not in text else text


def _tokens(text: str) -> list[tuple[str, str]]:
    found, at, text = [], 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Misread(f"“{one_line(text[at:].strip()[:1], 4)}” is not allowed in a formula.")
        number, name, sign = match.groups()
        found.append(("number", number) if number else ("name", name) if name else ("sign", sign))
        at = match.end()
    return found


def _number(text: str) -> Fraction:
    digits, _, exponent = text.lower().partition("e")
    if len(text) > 30 or abs(int(exponent or 0)) > 30:
        raise Misread("A number is too long.")
    return Fraction(digits.rstrip(".")) * Fraction(10) ** int(exponent or 0)


def _constant(part: Expression) -> Fraction | None:
    """The number that a part is, such as (1/2)."""
    if part.head == NUMBER:
        return Fraction(part.value)
    values = [_constant(argument) for argument in part.arguments]
    if part.head == QUOTIENT and values[1]:
        return None if values[0] is None else values[0] / values[1]
    if part.head == PRODUCT and None not in values and len(values) == 2:
        return values[0] * values[1]  # type: ignore[operator]
    return None


def _times(left: Expression, right: Expression) -> Expression:
    first = left.arguments if left.head == PRODUCT else (left,)
    return Expression(PRODUCT, (*first, *(right.arguments if right.head == PRODUCT else (right,))))


def _negative(part: Expression) -> Expression:
    if part.head == NUMBER:
        return Expression(NUMBER, value=-Fraction(part.value))
    return _times(MINUS, part)
