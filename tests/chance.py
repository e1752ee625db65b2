"""What tests draw by chance: the same in every run, or, with SOAK=1, something new in each."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence

import pytest

SOAK = bool(os.environ.get("SOAK"))
SEED = "ARMATURE_SOAK_SEED"
_EVERY = 5040  # seeds keep their remainders, by which some tests choose among a few cases


def draw_anew() -> None:
    """For SOAK=1: where the seeds begin, unless ARMATURE_SOAK_SEED says so; the processes started afterwards begin there, too."""
    os.environ.setdefault(SEED, str(_EVERY * secrets.randbelow(10**6)))


def some(cases: Sequence, first: int) -> list:
    """For `parametrize`: the first few cases, and the others, of which SOAK=1 runs each."""
    others = (case if isinstance(case, tuple) else (case,) for case in cases[first:])
    return [*cases[:first], *(pytest.param(*case, marks=pytest.mark.soak) for case in others)]


def seeds(count: int) -> range:
    """`count` seeds: 0, 1, …, or with SOAK=1 as many from a number on that is drawn once for all processes of the run."""
    first = int(os.environ.get(SEED, "0")) if SOAK else 0
    return range(first, first + count)
