"""`Formula`: an equation as a sum of products."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import product as every
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from armature.engine import batching
from armature.engine.errors import DimensionError, EngineError
from armature.engine.formulas.factor import Factor, Nest, Terms, nest
from armature.engine.formulas.language import MATLAB, PYTHON, C, Entry, Language
from armature.engine.formulas.typeset import matrix_in_latex, sum_in_latex
from armature.engine.model.robot import Robot

_NUMBERS = 2_000_000  # in memory at once


class TermTable:
    """Terms of several sums as arrays, for evaluation: coefficients, and factors as rows of a table of values."""

    def __init__(self, sums: list[Terms]):
        index: dict[Factor, int] = {}
        rows = [[index.setdefault(f, len(index)) for f, power in m for _ in range(power)] for terms in sums for m in terms]
        self.factors = list(index)
        longest = max(map(len, rows), default=0)
        self.rows = np.full((longest, len(rows)), len(index))  # the last row of the table holds 1
        for column, row in enumerate(rows):
            self.rows[: len(row), column] = row
        self.coefficients = np.array([float(value) for terms in sums for value in terms.values()])
        self.owner = np.repeat(np.arange(len(sums)), [len(terms) for terms in sums])
        self.count = len(sums)

    def values(self, q: np.ndarray, qd: np.ndarray | None = None, qdd: np.ndarray | None = None) -> np.ndarray:
        """Return the sums `(N, count)` at states `(N, n)`."""
        out = np.zeros((len(q), self.count))
        step = max(1, _NUMBERS // max(1, len(self.coefficients)))
        for low in range(0, len(q), step):
            part = slice(low, low + step)
            states = q[part], None if qd is None else qd[part], None if qdd is None else qdd[part]
            table = np.ones((len(self.factors) + 1, len(out[part])))
            for k, factor in enumerate(self.factors):
                table[k] = factor.values(*states)
            products = np.repeat(self.coefficients[:, None], len(out[part]), axis=1)
            for row in self.rows:
                products *= table[row]
            if len(products):
                starts = np.searchsorted(self.owner, np.unique(self.owner))
                out[part, np.unique(self.owner)] = np.add.reduceat(products, starts, axis=0).T
        return out


class FormulaFields(NamedTuple):
    """The fields of a `Formula`, with the terms of all entries."""

    name: str
    about: str
    shape: tuple[int, ...]
    known: Mapping[tuple[int, ...], Terms]
    arguments: tuple[str, ...]
    letters: Mapping[str, float]
    symmetric: bool
    refusal: str
    error: float


class Formula:
    """One formula of an arm: numbers by `evaluate`, text by `latex`, code by `python`, `c` and `matlab`.

    `F[i, j]` is the formula of one entry, again a `Formula`. Formulas are attributes of `Equations`, which calls the constructor.
    `name` is the name of the formula, such as "M", and `about` its description. `shape` is `()` for a single number; `arguments`
    are its variables among "q", "qd" and "qdd"; `letters` are the symbols of its coefficients and their values in SI units, empty
    for numeric coefficients. `error` is the largest torque error, in N·m (N for a prismatic joint), that the omission of terms
    causes within the joint ranges, at speeds and accelerations up to 1 (rad or m, per s and s²); 0 if no term is omitted.
    """

    def __init__(
        self,
        robot: Robot,
        name: str,
        about: str,
        shape: tuple[int, ...],
        make: Callable[[tuple[int, ...]], Terms],
        arguments: tuple[str, ...] = ("q",),
        letters: Mapping[str, float] | None = None,
        symmetric: bool = False,
        refusal: Callable[[], str] = str,
        error: Callable[[], float] = float,
    ):
        self._robot, self.name, self.about, self.shape, self.arguments = robot, name, about, shape, arguments
        self.letters = MappingProxyType(dict(letters or {}))
        self._make, self._symmetric, self._refusal, self._error = make, symmetric, refusal, error
        self._known: dict[tuple[int, ...], Terms] = {}

    def __repr__(self) -> str:
        return f"<{self.name}: {self.about}>"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((self.name, self.about, self.shape))

    def __reduce__(self):
        return _restore, (self._robot, self._fields())

    def _fields(self) -> FormulaFields:
        return FormulaFields(
            name=self.name,
            about=self.about,
            shape=self.shape,
            known={place: self.terms(place) for place in every(*map(range, self.shape))},
            arguments=self.arguments,
            letters=dict(self.letters),
            symmetric=self._symmetric,
            refusal=self._refusal(),
            error=self.error,
        )

    def __getitem__(self, entry: int | tuple[int, ...]) -> Formula:
        """Return the formula of one entry, indices from 0."""
        place = self._place(entry)
        name = self.name + "".join(str(k + 1) for k in place)
        about = f"entry {list(place)} of the {self.about}" if place else self.about
        return Formula(self._robot, name, about, (), lambda _: self.terms(place), self.arguments, self.letters)

    def __iter__(self) -> Iterator[Formula]:
        """Iterate over the entries of a vector. Raises EngineError for matrices and single numbers."""
        if len(self.shape) != 1:
            entries = f"the shape {self.shape}; its entries are {self.name}[i, j]"
            raise EngineError(f"{self.name} has {entries if self.shape else 'no entries; it is a single number'}")
        return (self[k] for k in range(self.shape[0]))

    def terms(self, entry: int | tuple[int, ...] = ()) -> Terms:
        """Return one entry as a sum: a dict that maps each product of factors to its coefficient.

        Args:
            entry: index from 0 for a vector, indices such as `(0, 1)` for a matrix, `()` for a single number.

        Returns:
            Keys are tuples of pairs (factor, power). A factor has `kind` "cos" or "sin" with integers `k` `(n,)`, for cos(k·q) or
            sin(k·q), or "q", "qd" or "qdd" of the joint i with k_i = 1; `name`, such as "c23"; and `latex`. A coefficient is a
            float, or a sympy expression in the symbols `letters`, which `number` evaluates.

        Raises:
            EngineError: no such entry.
        """
        place = self._place(entry)
        if self._symmetric:
            place = tuple(sorted(place))
        if place not in self._known:
            self._known[place] = self._make(place)
        return self._known[place]

    def evaluate(self, q, qd=None, qdd=None) -> np.ndarray:
        """Evaluate the formula.

        Args:
            q, qd, qdd: joint positions, velocities, accelerations `(n,)` or `(N, n)`; rad, rad/s, rad/s² (prismatic: m, m/s,
                m/s²). Only those in `arguments` are needed.

        Returns:
            `shape`, or `(N, *shape)`.

        Raises:
            DimensionError.
        """
        given = {"q": q, "qd": qd, "qdd": qdd}
        for name in self.arguments:
            if given[name] is None:
                raise DimensionError(f"{self._robot.name}: {self.name} depends on {', '.join(self.arguments)}; {name} is missing")
        states, single = batching.vectors(self._robot, **{name: given[name] for name in self.arguments})
        values = self._table.values(*states).reshape(len(states[0]), *self.shape)
        return values[0] if single else values

    def latex(self, digits: int = 4) -> str:
        """Return the formula as LaTeX, with `c_{23}` for cos(q2 + q3) and `digits` digits for each number.

        Raises EngineError for a formula with three indices, such as Christoffel symbols.
        """
        if len(self.shape) > 2:
            raise EngineError(f"{self.name} has the shape {self.shape}: print single entries, {self.name}[k, i, j]")
        texts = [self.entry_in_latex(place, digits) for place in self._places()]
        if not self.shape:
            return texts[0]
        columns = 1 if len(self.shape) == 1 else self.shape[1]
        return matrix_in_latex([texts[k : k + columns] for k in range(0, len(texts), columns)])

    def entry_in_latex(self, place: tuple[int, ...], digits: int) -> str:
        return sum_in_latex(self.terms(place), digits)

    def python(self) -> str:
        """Return the source of a function `def M(q):` for states `(n,)` or `(N, n)`, which only needs numpy."""
        return self._source(PYTHON)

    def c(self) -> str:
        """Return the source of a C99 function `void M(const double *q, double *out)`, which fills `out` row by row."""
        return self._source(C)

    def matlab(self) -> str:
        """Return the source of a function `function out = M(q)` for MATLAB and Octave."""
        return self._source(MATLAB)

    @cached_property
    def error(self) -> float:
        return self._error()

    @cached_property
    def operations(self) -> tuple[int, int]:
        """Number of multiplications and additions in the generated code, without sines, cosines and their angles."""
        counts = [content.operations for _, content in self._entries if isinstance(content, Nest)]
        return sum(times for times, _ in counts), sum(plus for _, plus in counts)

    @cached_property
    def size(self) -> int:
        """Number of terms of all entries; for a symmetric matrix only of one half."""
        return sum(len(self.terms(place)) for place in self._places() if not self._symmetric or place[0] <= place[1])

    def _place(self, entry: int | tuple[int, ...]) -> tuple[int, ...]:
        place = entry if isinstance(entry, tuple) else (entry,)
        fits = len(place) == len(self.shape) and all(-size <= k < size for k, size in zip(place, self.shape))
        if not fits:
            raise EngineError(f"{self.name} has the shape {self.shape}, and no entry {list(place)}")
        return tuple(int(k) % size for k, size in zip(place, self.shape))

    def _places(self) -> list[tuple[int, ...]]:
        if self.shape and self._refusal():
            raise EngineError(self._refusal())
        return list(every(*map(range, self.shape)))

    @cached_property
    def _table(self) -> TermTable:
        sums = [self.terms(place) for place in self._places()]
        return TermTable([{monomial: self.number(value) for monomial, value in terms.items()} for terms in sums])

    def number(self, value) -> float:
        """Return the value of a coefficient of `terms`, with the numbers of `letters` for its symbols."""
        return value if isinstance(value, float) else float(value.xreplace({x: self.letters[x.name] for x in value.free_symbols}))

    @cached_property
    def _entries(self) -> list[Entry]:
        entries: list[Entry] = []
        for place in self._places():
            if not self.terms(place):
                continue
            if self._symmetric and place[0] > place[1]:
                entries.append((place, (place[1], place[0])))
            else:
                entries.append((place, nest(self.terms(place))))
        return entries

    def _source(self, language: Language) -> str:
        about = f"{self.about[0].upper()}{self.about[1:]}, {self._robot.name}."
        used = {name for place in self._places() for name in _letters_in(self.terms(place))}
        letters = {name: value for name, value in self.letters.items() if name in used}
        return language.source(self.name, self.shape, self._entries, self.arguments, letters, about)


def always(value: Any) -> Callable[..., Any]:
    """Return a function that returns this value for all arguments."""
    return lambda *_: value


def _restore(robot: Robot, fields: FormulaFields) -> Formula:
    """Return a formula with known entries, from a pickle."""
    return Formula(
        robot,
        fields.name,
        fields.about,
        fields.shape,
        fields.known.__getitem__,
        fields.arguments,
        fields.letters,
        fields.symmetric,
        always(fields.refusal),
        always(fields.error),
    )


def _letters_in(terms: Terms) -> set[str]:
    """Names of the symbols in coefficients and lengths."""
    found = {factor.offset.lstrip("-") for monomial in terms for factor, _ in monomial}
    return found | {x.name for value in terms.values() if not isinstance(value, float) for x in value.free_symbols}
