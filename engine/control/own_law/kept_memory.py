"""The memory of user code as plain values, for a recording that begins during its run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from armature.engine.errors import EngineError

_DEEPEST = 20


class PickledMemory(dict[str, Any]):
    """The memory of a run in another process: its description, and `pickled` the whole, which only such a process unpickles."""

    def __init__(self, description: Any = None, pickled: bytes = b""):
        super().__init__()
        self.description, self.pickled = description, pickled


def described_memory(memory: Mapping[str, Any]) -> Any:
    """Return the part that a file can hold; `{"lost": why}` where that is not all."""
    if isinstance(memory, PickledMemory) and memory.pickled:
        return memory.description
    try:
        return _plain(memory, "p.memory", 0)
    except ValueError as error:
        return {"lost": str(error)}


def memory_of(description: Any) -> dict[str, Any]:
    """Return the memory of a description. Raises EngineError if it was not described whole, or is damaged."""
    if isinstance(description, Mapping) and "lost" in description:
        raise EngineError(f"the memory of its controller could not be saved: {str(description['lost'])[:200]}")
    memory = _value(description)
    if not isinstance(memory, dict):
        raise EngineError("the saved memory of its controller is damaged")
    return memory


def _plain(value: Any, where: str, depth: int) -> Any:
    """Tagged lists for types that JSON lacks; floats in hexadecimal, exact, with inf and nan."""
    if depth > _DEEPEST:
        raise ValueError(f"{where} is nested too deeply")
    if value is None or isinstance(value, (bool, str)) or type(value) is int:
        return value
    if type(value) is float:
        return ["float", value.hex()]
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biuf":
        kind = "array" if isinstance(value, np.ndarray) else "scalar"
        items = [x.hex() if isinstance(x, float) else x for x in np.asarray(value).ravel().tolist()]
        return [kind, value.dtype.str, list(value.shape), items]
    if isinstance(value, np.random.Generator):
        return ["random", _plain(value.bit_generator.state, where, depth + 1)]
    if isinstance(value, (list, tuple)):
        kind = "list" if isinstance(value, list) else "tuple"
        return [kind, [_plain(x, f"{where}[{k}]", depth + 1) for k, x in enumerate(value)]]
    if isinstance(value, Mapping):
        return ["dict", [[_plain(k, where, depth + 1), _plain(x, f"{where}[{k!r:.40}]", depth + 1)] for k, x in value.items()]]
    raise ValueError(f"{where} has the type {type(value).__name__}, which cannot be saved")


def _value(plain: Any) -> Any:
    if not isinstance(plain, list):
        return plain
    kind, *rest = plain
    if kind == "float":
        return float.fromhex(rest[0])
    if kind in ("array", "scalar"):
        dtype, shape, items = rest
        flat = np.array([float.fromhex(x) if isinstance(x, str) else x for x in items], dtype=np.dtype(dtype))
        return flat.reshape(shape) if kind == "array" else flat[0]
    if kind == "random":
        state = _value(rest[0])
        generator = np.random.Generator({"PCG64": np.random.PCG64, "MT19937": np.random.MT19937}[state["bit_generator"]]())
        generator.bit_generator.state = state
        return generator
    if kind == "dict":
        return {_value(k): _value(x) for k, x in rest[0]}
    return [_value(x) for x in rest[0]] if kind == "list" else tuple(_value(x) for x in rest[0])
