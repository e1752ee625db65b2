"""A length of a data sheet, as it is typed: what no arm has was meant in another unit."""

from __future__ import annotations

from armature.app.builder.typed_quantity import Scale
from armature.app.state.units import significant
from armature.engine.errors import ModelError

LONGEST, SHORTEST = 10.0, 1e-3  # m; 0 is a length, too


def typed_length(text: str, scale: Scale) -> float:
    """The length in m. Raises ModelError for what is no number, and for lengths that arms do not have."""
    length = scale.typed(text)
    told = f"{scale.text(length)} {scale.symbol}"
    if abs(length) > LONGEST:
        raise ModelError(f"{told} is too long for an arm; did you mean {significant(length)} mm?")
    if 0 < abs(length) < SHORTEST:
        raise ModelError(f"{told} is too short for an arm; did you mean {significant(length / SHORTEST)} m?")
    return length
