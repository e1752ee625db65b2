"""Tables of a cell file, checked value by value."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from armature.engine.errors import shown
from armature.engine.model.file_entries import Entry
from armature.engine.model.file_values import Identifier, Positive, Sentence, Vector, array_of, number, positive, refusal, share

MAX_OBJECTS = 1_000
NEEDS: dict[str, tuple[str, ...]] = {
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "sphere": ("radius",),
    "capsule": ("radius", "length"),
    "halfspace": (),
    "mesh": ("file",),
}
"""The keys that each shape must have."""
_MAY: dict[str, tuple[str, ...]] = {"halfspace": ("normal",), "mesh": ("scale",)}
_SIZES = ("size", "radius", "length", "normal", "file", "scale")
_HINTS = {
    "size": "a box needs its edges in m, such as size = [1.0, 0.6, 0.02]",
    "radius": "give the radius in m",
    "length": "give the length along z in m",
    "file": 'give the mesh file, such as file = "fixture.stl"',
}
REQUIRED = {
    "name": 'give each object a name, such as name = "table"',
    "shape": f"it must be one of {', '.join(NEEDS)}",
    "objects": "give one table headed [[objects]] per object, or objects = []",
}


def _scale(value: Any) -> tuple[float, float, float]:
    """Factors along x, y and z, negative ones mirror; one number for all three."""
    factors = array_of(3, number, "a number or three numbers [x, y, z]")(value if isinstance(value, list) else [value] * 3)
    if not all(factors):
        raise refusal(f"must not contain a zero, got {shown(value)}")
    return factors


def _colour(value: Any) -> tuple[float, ...]:
    count = 3 if isinstance(value, list) and len(value) == 3 else 4
    return array_of(count, share, "three or four numbers from 0 to 1 [red, green, blue, opacity]")(value)


def _direction(value: Any) -> tuple[float, float, float]:
    vector = array_of(3, number, "three numbers [x, y, z]")(value)
    if max(map(abs, vector)) < 1e-9:
        raise refusal("must not be zero; it is the direction out of the half-space, such as [0, 0, 1]")
    return vector


def _objects(value: Any) -> Any:
    if not isinstance(value, list):
        raise refusal(f"must be tables, each headed [[objects]], got {shown(value)}")
    if len(value) > MAX_OBJECTS:
        raise refusal(f"has {len(value):,} objects; at most {MAX_OBJECTS:,} are supported")
    return value


_Size = Annotated[tuple | None, BeforeValidator(array_of(3, positive, "three lengths [x, y, z], more than 0"))]


class ObjectEntry(Entry):
    """One object of a cell: a name, a shape with its sizes in m, a pose in W and a colour."""

    name: Identifier
    shape: Literal["box", "cylinder", "sphere", "capsule", "halfspace", "mesh"]
    size: _Size = None
    radius: Positive | None = None
    length: Positive | None = None
    normal: Annotated[tuple | None, BeforeValidator(_direction)] = None
    file: Sentence | None = None
    scale: Annotated[tuple | None, BeforeValidator(_scale)] = None
    xyz: Vector = (0.0, 0.0, 0.0)
    rpy_deg: Vector = (0.0, 0.0, 0.0)
    color: Annotated[tuple | None, BeforeValidator(_colour)] = None

    @model_validator(mode="after")
    def _has_its_sizes(self) -> Self:
        for key in NEEDS[self.shape]:
            if vars(self)[key] is None:
                raise refusal(f"missing; {_HINTS[key]}", key)
        valid = (*NEEDS[self.shape], *_MAY.get(self.shape, ()))
        for key in _SIZES:
            if key not in valid and vars(self)[key] is not None:
                raise refusal(f"is not for a {self.shape}, which has {', '.join(valid)}", key)
        if self.shape == "halfspace" and any(self.rpy_deg):
            raise refusal("is not for a halfspace; give its normal", "rpy_deg")
        return self


class CellFile(Entry):
    """A whole cell file."""

    name: Identifier | None = None
    description: Sentence = ""
    objects: Annotated[list[ObjectEntry], BeforeValidator(_objects)] = Field()

    @model_validator(mode="after")
    def _has_no_name_twice(self) -> Self:
        first: dict[str, int] = {}
        for k, entry in enumerate(self.objects):
            if first.setdefault(entry.name, k) != k:
                raise refusal(f"{entry.name!r} is already the name of objects[{first[entry.name]}]", f"objects[{k}].name")
        return self


def cell_table(loc: list[Any]) -> type[Entry]:
    """The table of a cell file that `loc` leads to."""
    return ObjectEntry if loc[:1] == ["objects"] else CellFile
