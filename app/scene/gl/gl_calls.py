"""`GL`: OpenGL for what draws. The calls of a frame can be collected, and are then made together.

A drawing in software fills the processor's caches with its own data, so that code between two drawings takes a multiple of its
time. With calls collected, all of it runs before the first drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import OpenGL.GL

ANSWER = ("glGen", "glGet", "glCreate", "glCheck", "glIs")  # how the names begin of those that are never collected


Call = tuple[Callable[..., None], tuple]
"""A function and its arguments."""


class _Frame:
    """Functions and their arguments that are called at the end of a frame; None where calls are made as they come."""

    calls: list[Call] | None = None
    made_early = 0  # how often calls had to be made before the end of a frame


_frame = _Frame()


class _OpenGL:
    """The functions and constants of `OpenGL.GL`, looked up there when each is first used."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(OpenGL.GL, name)
        if name.startswith("gl") and not name.startswith(ANSWER):
            found = collectable(found)
        setattr(self, name, found)
        return found


def collectable(function: Callable[..., None]) -> Callable[..., None]:
    """The function, called at the end of the frame where calls are collected; until then its arguments must stay as they are."""

    def called(*args) -> None:
        if _frame.calls is None:
            function(*args)
        else:
            _frame.calls.append((function, args))

    return called


@contextmanager
def collecting() -> Generator[None]:
    """Collect calls, and make them at the end."""
    _frame.calls = []
    try:
        yield
        _make()
    finally:
        _frame.calls = None


def noted(act: Callable[..., None], *args) -> list[Call] | None:
    """The calls that `act` adds to those collected; None where calls are made as they come, or were while it acted."""
    calls, early = _frame.calls, _frame.made_early
    first = 0 if calls is None else len(calls)
    act(*args)
    return calls[first:] if calls is not None and early == _frame.made_early else None


def repeat(calls: list[Call]) -> None:
    """Collect these once more."""
    if _frame.calls is not None:
        _frame.calls += calls


@contextmanager
def at_once() -> Generator[None]:
    """Make those that were collected, and then each as it comes."""
    _frame.made_early += 1
    _make()
    before, _frame.calls = _frame.calls, None
    try:
        yield
    finally:
        _frame.calls = before


def _make() -> None:
    """Make the calls that were collected so far; one that fails, too, is followed by the rest, which others count on."""
    if _frame.calls:
        calls, failed = _frame.calls[:], []
        _frame.calls.clear()
        for function, args in calls:
            try:
                function(*args)
            except Exception as error:
                failed.append(error)
        if failed:
            raise failed[0]


GL: Any = _OpenGL()
