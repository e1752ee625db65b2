"""`Frozen`: base of values that remain read-only when copied or sent to other processes."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import Field, fields
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from armature.engine.errors import one_line


class Frozen:
    """Base of frozen dataclasses: arrays and mappings are read-only after unpickling, too, which pickle alone does not ensure.

    Cached properties are not sent; they are computed again.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __getstate__(self) -> dict[str, Any]:
        return {item.name: _packed(vars(self)[item.name]) for item in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: _unpacked(value) for name, value in state.items()})


class _Table(dict[str, Any]):
    """A dict whose KeyError lists the names that are close and those that exist."""

    def __missing__(self, name: object) -> Any:
        close = difflib.get_close_matches(str(name), self, n=3)
        hint = f"did you mean {' or '.join(close)}? " if close else ""
        raise KeyError(one_line(f"unknown name {name!r}: {hint}valid are {', '.join(self)}"))


def read_only_table(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """A read-only copy of a mapping by name, whose KeyError for a name that it lacks lists close ones."""
    return MappingProxyType(_Table(table))


class _ReadOnly:
    """Marks a read-only array or mapping in a pickle."""

    def __init__(self, value: Any):
        self.value = value


def _packed(value: Any) -> Any:
    if isinstance(value, np.ndarray) and not value.flags.writeable:
        return _ReadOnly(value)
    if isinstance(value, MappingProxyType):
        return _ReadOnly({key: _packed(item) for key, item in value.items()})
    return tuple(map(_packed, value)) if type(value) is tuple else value


def _unpacked(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(_unpacked, value))
    if not isinstance(value, _ReadOnly):
        return value
    if isinstance(value.value, dict):
        return read_only_table({key: _unpacked(item) for key, item in value.value.items()})
    value.value.setflags(write=False)
    return value.value
