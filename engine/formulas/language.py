"""Python with NumPy, C and MATLAB: how each writes a function that fills a matrix."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from textwrap import wrap

from armature.engine.formulas.factor import COS, POSITION, SIN, Factor, Nest

Entry = tuple[tuple[int, ...], Nest | tuple[int, ...]]
"""Where it stands, and its sum, or the entry that it equals."""

WIDTH = 118


class Language(ABC):
    """Writes functions; `letters` are the constants that coefficients are made of, by name."""

    indent = "    "
    more = ""  # what ends a line that goes on

    def source(
        self,
        name: str,
        shape: tuple[int, ...],
        entries: Sequence[Entry],
        arguments: Sequence[str],
        letters: Mapping[str, float],
        about: str,
    ) -> str:
        """The function `name` of q, and qd where `arguments` has it."""
        factors = sorted(_factors(entries), key=lambda factor: (factor.kind, factor.label))
        lines = [self.assignment(key, self.number(value)) for key, value in letters.items()]
        lines += [self.assignment(factor.name, self.value(factor)) for factor in factors]
        for place, content in entries:
            text = self.sum(content) if isinstance(content, Nest) else self.element(content, shape)
            lines.append(self.assigned(place, shape, text))
        return self.function(name, shape, arguments, [self.broken(line) for line in lines], about)

    def sum(self, nest: Nest) -> str:
        """The sum as an expression."""
        parts = [self.product(value, factors) for value, factors in nest.products]
        for factor, inner in nest.nests:
            alone = len(inner.products) + len(inner.nests) == 1
            inside = self.sum(inner)
            parts.append(f"{factor.name}*{inside}" if alone and not inside.startswith("-") else f"{factor.name}*({inside})")
        return " + ".join(parts).replace("+ -", "- ") or self.number(0.0)

    def product(self, value: object, factors: Sequence[Factor]) -> str:
        names = "*".join(factor.name for factor in factors)
        if names and value == 1:
            return names
        if names and value == -1:
            return f"-{names}"
        return "*".join(filter(None, [self.coefficient(value), names]))

    def coefficient(self, value: object) -> str:
        if isinstance(value, float):
            return self.number(value)
        text = self.expression(value)
        return f"({text})" if getattr(value, "is_Add", False) else text

    def number(self, value: float) -> str:
        """To the last bit."""
        return repr(float(value))

    def value(self, factor: Factor) -> str:
        """What a factor is, of the arguments."""
        if factor.kind not in (COS, SIN):
            text = self.argument(factor.kind, factor.joint)
            return (
                f"{text} - {factor.offset[1:]}"
                if factor.offset.startswith("-")
                else " + ".join(filter(None, [factor.offset, text]))
            )
        text = ""
        for joint, k in enumerate(factor.k):
            if k:
                sign = ("-" if k < 0 else "") if not text else (" - " if k < 0 else " + ")
                text += sign + (f"{abs(k)}*" if abs(k) > 1 else "") + self.argument(POSITION, joint)
        return self.call(factor.kind, text)

    def broken(self, line: str) -> str:
        """Long lines over several."""
        first, *rest = wrap(line, WIDTH - 4, break_long_words=False, break_on_hyphens=False)
        return f"{self.more}\n{self.indent}".join([first, *rest])

    @abstractmethod
    def expression(self, value: object) -> str:
        """A coefficient in letters."""

    @abstractmethod
    def call(self, name: str, text: str) -> str: ...

    @abstractmethod
    def argument(self, kind: str, joint: int) -> str: ...

    @abstractmethod
    def assignment(self, name: str, text: str) -> str: ...

    @abstractmethod
    def element(self, place: tuple[int, ...], shape: tuple[int, ...]) -> str: ...

    @abstractmethod
    def assigned(self, place: tuple[int, ...], shape: tuple[int, ...], text: str) -> str: ...

    @abstractmethod
    def function(self, name: str, shape: tuple[int, ...], arguments: Sequence[str], lines: list[str], about: str) -> str: ...


class Python(Language):
    """NumPy only; states `(n,)` or `(N, n)`."""

    def expression(self, value: object) -> str:
        from sympy import pycode

        return pycode(value)

    def call(self, name: str, text: str) -> str:
        return f"np.{name}({text})"

    def argument(self, kind: str, joint: int) -> str:
        return f"{kind}[..., {joint}]"

    def assignment(self, name: str, text: str) -> str:
        return f"{name} = {text}"

    def element(self, place: tuple[int, ...], shape: tuple[int, ...]) -> str:
        return f"out[{', '.join(['...', *map(str, place)])}]"

    def assigned(self, place: tuple[int, ...], shape: tuple[int, ...], text: str) -> str:
        return f"{self.element(place, shape)} = ({text})" if len(text) > WIDTH - 30 else f"{self.element(place, shape)} = {text}"

    def function(self, name: str, shape: tuple[int, ...], arguments: Sequence[str], lines: list[str], about: str) -> str:
        body = [f"{x} = np.asarray({x}, float)" for x in arguments]
        body += [f"out = np.zeros(q.shape[:-1] + {shape!r})", *lines, "return out"]
        text = "\n".join(body).replace("\n", "\n    ")
        return f'import numpy as np\n\n\ndef {name}({", ".join(arguments)}):\n    """{about}"""\n    {text}\n'


class C(Language):
    """C99; `out` row by row."""

    def expression(self, value: object) -> str:
        from sympy import ccode

        return ccode(value)

    def call(self, name: str, text: str) -> str:
        return f"{name}({text})"

    def argument(self, kind: str, joint: int) -> str:
        return f"{kind}[{joint}]"

    def assignment(self, name: str, text: str) -> str:
        return f"const double {name} = {text};"

    def element(self, place: tuple[int, ...], shape: tuple[int, ...]) -> str:
        index = 0
        for k, count in zip(place, shape):
            index = index * count + k
        return f"out[{index}]"

    def assigned(self, place: tuple[int, ...], shape: tuple[int, ...], text: str) -> str:
        return f"{self.element(place, shape)} = {text};"

    def function(self, name: str, shape: tuple[int, ...], arguments: Sequence[str], lines: list[str], about: str) -> str:
        count = 1
        for size in shape:
            count *= size
        head = ", ".join([*(f"const double *{x}" for x in arguments), "double *out"])
        clear = f"for (int i = 0; i < {count}; i++) out[i] = 0.0;"
        text = "\n".join([clear, *lines]).replace("\n", "\n    ")
        return f"#include <math.h>\n\n/* {about} */\nvoid {name}({head})\n{{\n    {text}\n}}\n"


class Matlab(Language):
    """MATLAB and Octave; columns or rows, one state."""

    more = " ..."

    def expression(self, value: object) -> str:
        from sympy import octave_code

        return octave_code(value).replace(".*", "*").replace(".^", "^").replace("./", "/")

    def call(self, name: str, text: str) -> str:
        return f"{name}({text})"

    def argument(self, kind: str, joint: int) -> str:
        return f"{kind}({joint + 1})"

    def assignment(self, name: str, text: str) -> str:
        return f"{name} = {text};"

    def element(self, place: tuple[int, ...], shape: tuple[int, ...]) -> str:
        return f"out({', '.join(str(k + 1) for k in place) or '1'})"

    def assigned(self, place: tuple[int, ...], shape: tuple[int, ...], text: str) -> str:
        return f"{self.element(place, shape)} = {text};"

    def function(self, name: str, shape: tuple[int, ...], arguments: Sequence[str], lines: list[str], about: str) -> str:
        sizes = ", ".join(map(str, shape if len(shape) > 1 else (*shape, 1, 1)[:2]))
        text = "\n".join([f"out = zeros({sizes});", *lines]).replace("\n", "\n    ")
        return f"function out = {name}({', '.join(arguments)})\n    % {about}\n    {text}\nend\n"


def _factors(entries: Sequence[Entry]) -> set[Factor]:
    found: set[Factor] = set()
    waiting = [content for _, content in entries if isinstance(content, Nest)]
    while waiting:
        nest = waiting.pop()
        found.update(factor for _, factors in nest.products for factor in factors)
        found.update(factor for factor, _ in nest.nests)
        waiting.extend(inner for _, inner in nest.nests)
    return found
