"""Evented models, and the binder that calls views when the fields they show have changed.

`Model` is the state of one subject, without any view. Values marked `function_of` follow from its fields. `Binder.bind` connects
a view, which is a function without arguments, to the fields that it shows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from functools import cached_property, partial
from typing import Any, ClassVar, NamedTuple, TypeVar

VALUES = bool, int, float, str, Enum, type(None)
LONGEST_CHAIN = 50  # calls of one view in one flush
_UNSET = object()

V = TypeVar("V")


class _Derived(cached_property[V]):
    """Value computed when it is first read after one of its `sources` has changed."""

    def __init__(self, compute: Callable[[Any], V], sources: tuple[str, ...]):
        super().__init__(compute)
        self.sources = sources


def function_of(*sources: str) -> Callable[[Callable[[Any], V]], _Derived[V]]:
    """Decorate a method of a model: a read-only value that follows from the named fields or derived values."""
    return lambda compute: _Derived(compute, sources)


class Model:
    """State of one subject: assigning another value to a field reports the name of the field to all listeners.

    Subclasses are dataclasses with `eq=False`, used by one thread. Numbers, texts and enum members have changed if they differ,
    all other values if they are another object: values are replaced, never modified in place. Fields that begin with an
    underscore are private and not reported.
    """

    _followers: ClassVar[dict[str, tuple[str, ...]]] = {}  # by field: the derived values that change with it

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        kinds = list(reversed(cls.__mro__))
        sources = {name: value.sources for kind in kinds for name, value in vars(kind).items() if isinstance(value, _Derived)}
        names = {name for kind in kinds for name in vars(kind).get("__annotations__", {}) if not name.startswith("_")}
        for name, of in sources.items():
            for source in of:
                if source not in names and source not in sources:
                    raise TypeError(f"{cls.__name__}.{name} is derived from {source!r}, which is not a field of the model")
        cls._followers = {name: _followers(name, sources) for name in names}

    def __setattr__(self, name: str, value: object) -> None:
        old = self.__dict__.get(name, _UNSET)
        if name not in self._followers and not name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        super().__setattr__(name, value)
        if value is old or (isinstance(value, VALUES) and type(value) is type(old) and value == old):
            return
        for follower in self._followers.get(name, ()):
            self.__dict__.pop(follower, None)
        for listener in self.__dict__.get("_listeners", ()):
            listener(name, *self._followers.get(name, ()))

    def listen(self, listener: Callable[..., None]) -> None:
        """Call `listener(*names)` at once with the name of each field that changes and of the values derived from it."""
        self.__dict__["_listeners"] = (*self.__dict__.get("_listeners", ()), listener)


def _followers(name: str, sources: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Derived values that change with a field, also by way of other derived values."""
    found = [name]
    for source in found:
        found += [follower for follower, of in sources.items() if source in of and follower not in found]
    return tuple(found[1:])


class Fields(NamedTuple):
    """Fields and derived values of a model that a view depends on."""

    model: Model
    names: tuple[str, ...]


def on(model: Model, *names: str) -> Fields:
    """Return these fields of a model, for `Binder.bind`; raises AttributeError for an unknown name."""
    for name in names:
        if name not in model._followers and not isinstance(getattr(type(model), name, None), _Derived):
            raise AttributeError(f"{type(model).__name__} has no field {name!r}")
    return Fields(model, names)


class Binder:
    """Calls each view at most once per turn of the event loop, however many of its fields have changed.

    `post(function)` calls a function at the beginning of the next turn. Views are called in the order in which they were bound,
    and may change models themselves.
    """

    def __init__(self, post: Callable[[Callable[[], None]], object]):
        self._post = post
        self._views: list[Callable[[], None]] = []
        self._due: set[int] = set()

    def bind(self, view: Callable[[], None], *fields: Fields) -> None:
        """Call `view` now, and after each change of one of the fields."""
        place = len(self._views)
        self._views.append(view)
        for model, names in fields:
            model.listen(partial(self._on_changed, place, frozenset(names)))
        view()

    def flush(self) -> None:
        """Call the views that are due now instead of at the next turn: for tests and scripts that read the window at once.

        A view that fails is reported to `sys.excepthook`, and the others are called all the same.
        """
        calls: dict[int, int] = {}
        while self._due:
            place = min(self._due)
            self._due.remove(place)
            calls[place] = calls.get(place, 0) + 1
            try:
                if calls[place] > LONGEST_CHAIN:
                    self._due.clear()
                    raise RuntimeError(f"views change the fields that they depend on: {self._views[place]}")
                self._views[place]()
            except Exception:
                sys.excepthook(*sys.exc_info())

    def stop(self) -> None:
        """Call no view again, because the window closes."""
        self._views, self._due, self._post = [], set(), lambda flush: None

    def _on_changed(self, place: int, shown: frozenset[str], *changed: str) -> None:
        if shown.isdisjoint(changed) or not self._views:
            return
        if not self._due:
            self._post(self.flush)
        self._due.add(place)
