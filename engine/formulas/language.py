"""Python with NumPy, C and MATLAB: source code of a function that fills a matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from textwrap import wrap
from typing import NamedTuple

from armature.engine.formulas.factor import COS, POSITION, SIN, Factor, Nest

Entry = tuple[tuple[int, ...], Nest | tuple[int, ...]]
"""Indices of an entry, and its sum, or the indices of an equal entry."""
Place = tuple[int, ...]

WIDTH = 118


class Language(NamedTuple):
    """Syntax of a language; functions print what formats cannot."""

    printer: str  # function of sympy that prints coefficients
    call: str  # format of name and argument of cos and sin
    argument: Callable[[str, int], str]  # q, qd or qdd of a joint
    element: Callable[[Place, Place], str]  # entry of the result at a place, for its shape
    function: Callable[[str, Place, Sequence[str], list[str], str], str]  # of name, shape, arguments, lines and description
    declare: str = ""  # before a constant
    end: str = ""  # of a statement
    more: str = ""  # end of a line whose statement continues on the next
    long: str = "{}"  # format of long expressions

    def source(
        self,
        name: str,
        shape: Place,
        entries: Sequence[Entry],
        arguments: Sequence[str],
        letters: Mapping[str, float],
        about: str,
    ) -> str:
        """Return the function `name` of q, and of qd if listed in `arguments`; `letters` are the constants of coefficients."""
        factors = sorted(_factors(entries), key=lambda factor: (factor.kind, factor.label))
        constants = {key: repr(float(value)) for key, value in letters.items()} | {f.name: self._value(f) for f in factors}
        lines = [f"{self.declare}{key} = {text}{self.end}" for key, text in constants.items()]
        for place, content in entries:
            text = self._sum(content) if isinstance(content, Nest) else self.element(content, shape)
            text = self.long.format(text) if len(text) > WIDTH - 30 else text
            lines.append(f"{self.element(place, shape)} = {text}{self.end}")
        return self.function(name, shape, arguments, [self._wrap(line) for line in lines], about)

    def _sum(self, nest: Nest) -> str:
        parts = [self._product(value, factors) for value, factors in nest.products]
        for factor, inner in nest.nests:
            alone = len(inner.products) + len(inner.nests) == 1
            inside = self._sum(inner)
            parts.append(f"{factor.name}*{inside}" if alone and not inside.startswith("-") else f"{factor.name}*({inside})")
        return " + ".join(parts).replace("+ -", "- ") or "0.0"

    def _product(self, value: object, factors: Sequence[Factor]) -> str:
        names = "*".join(factor.name for factor in factors)
        if names and value in (1, -1):
            return names if value == 1 else f"-{names}"
        return "*".join(filter(None, [self._coefficient(value), names]))

    def _coefficient(self, value: object) -> str:
        if isinstance(value, float):
            return repr(float(value))
        import sympy  # slow import

        text = getattr(sympy, self.printer)(value)
        text = text.replace(".*", "*").replace(".^", "^").replace("./", "/")  # octave_code writes elementwise operators
        return f"({text})" if getattr(value, "is_Add", False) else text

    def _value(self, factor: Factor) -> str:
        """A factor as an expression in the arguments."""
        if factor.kind not in (COS, SIN):
            text = self.argument(factor.kind, factor.joint)
            if factor.offset.startswith("-"):
                return f"{text} - {factor.offset[1:]}"
            return " + ".join(filter(None, [factor.offset, text]))
        text = ""
        for joint, k in enumerate(factor.k):
            if k:
                sign = ("-" if k < 0 else "") if not text else (" - " if k < 0 else " + ")
                text += sign + (f"{abs(k)}*" if abs(k) > 1 else "") + self.argument(POSITION, joint)
        return self.call.format(factor.kind, text)

    def _wrap(self, line: str) -> str:
        return f"{self.more}\n    ".join(wrap(line, WIDTH - 4, break_long_words=False, break_on_hyphens=False))


def _python_function(name: str, shape: Place, arguments: Sequence[str], lines: list[str], about: str) -> str:
    body = [f"{x} = np.asarray({x}, float)" for x in arguments]
    text = _indented([*body, f"out = np.zeros(q.shape[:-1] + {shape!r})", *lines, "return out"])
    return f'import numpy as np\n\n\ndef {name}({", ".join(arguments)}):\n    """{about}"""\n{text}\n'


def _c_element(place: Place, shape: Place) -> str:
    return f"out[{sum(k * prod(shape[axis + 1 :]) for axis, k in enumerate(place))}]"


def _c_function(name: str, shape: Place, arguments: Sequence[str], lines: list[str], about: str) -> str:
    head = ", ".join([*(f"const double *{x}" for x in arguments), "double *out"])
    text = _indented([f"for (int i = 0; i < {prod(shape)}; i++) out[i] = 0.0;", *lines])
    return f"#include <math.h>\n\n/* {about} */\nvoid {name}({head})\n{{\n{text}\n}}\n"


def _matlab_function(name: str, shape: Place, arguments: Sequence[str], lines: list[str], about: str) -> str:
    sizes = ", ".join(map(str, shape if len(shape) > 1 else (*shape, 1, 1)[:2]))
    text = _indented([f"out = zeros({sizes});", *lines])
    return f"function out = {name}({', '.join(arguments)})\n    % {about}\n{text}\nend\n"


def _indented(lines: list[str]) -> str:
    return "    " + "\n".join(lines).replace("\n", "\n    ")


PYTHON = Language(
    printer="pycode",
    call="np.{}({})",
    argument=lambda kind, joint: f"{kind}[..., {joint}]",
    element=lambda place, shape: f"out[{', '.join(['...', *map(str, place)])}]",
    function=_python_function,
    long="({})",
)
"""NumPy only; states `(n,)` or `(N, n)`."""
C = Language(
    printer="ccode",
    call="{}({})",
    argument=lambda kind, joint: f"{kind}[{joint}]",
    element=_c_element,
    function=_c_function,
    declare="const double ",
    end=";",
)
"""C99; `out` row by row."""
MATLAB = Language(
    printer="octave_code",
    call="{}({})",
    argument=lambda kind, joint: f"{kind}({joint + 1})",
    element=lambda place, shape: f"out({', '.join(str(k + 1) for k in place) or '1'})",
    function=_matlab_function,
    end=";",
    more=" ...",
)
"""MATLAB and Octave; columns or rows, one state."""


def _factors(entries: Sequence[Entry]) -> set[Factor]:
    found: set[Factor] = set()
    waiting = [content for _, content in entries if isinstance(content, Nest)]
    while waiting:
        nest = waiting.pop()
        found.update(factor for _, factors in nest.products for factor in factors)
        found.update(factor for factor, _ in nest.nests)
        waiting.extend(inner for _, inner in nest.nests)
    return found
