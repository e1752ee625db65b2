"""The messages of a `.mcap` recording, described in JSON Schema.

`foxglove.JointStates` and `foxglove.FrameTransforms` are Foxglove's own, which Foxglove and PlotJuggler know by name; fields and
units as in https://docs.foxglove.dev/docs/sdk/schemas. `armature.Sample` is what a recording has besides.
"""

from __future__ import annotations

from typing import Any

NUMBER, TEXT = {"type": "number"}, {"type": "string"}


def _object(title: str, required: tuple[str, ...] | None = None, **properties: Any) -> dict[str, Any]:
    return {
        "title": title,
        "type": "object",
        "properties": properties,
        "required": list(properties if required is None else required),
    }


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TIME = _object(
    "time",
    (),
    sec={"type": "integer", "minimum": 0},
    nsec={"type": "integer", "minimum": 0, "maximum": 999_999_999},
)
_JOINT = _object(
    "foxglove.JointState", ("name",), name=TEXT, position=NUMBER, velocity=NUMBER, acceleration=NUMBER, effort=NUMBER
)
JOINT_STATES = _object("foxglove.JointStates", timestamp=TIME, joints=_array(_JOINT))
_TRANSFORM = _object(
    "foxglove.FrameTransform",
    timestamp=TIME,
    parent_frame_id=TEXT,
    child_frame_id=TEXT,
    translation=_object("foxglove.Vector3", x=NUMBER, y=NUMBER, z=NUMBER),
    rotation=_object("foxglove.Quaternion", x=NUMBER, y=NUMBER, z=NUMBER, w=NUMBER),
)
FRAME_TRANSFORMS = _object("foxglove.FrameTransforms", transforms=_array(_TRANSFORM))
SAMPLE = _object("armature.Sample", timestamp=TIME, t=NUMBER, sigma_min=NUMBER, kinetic=NUMBER, potential=NUMBER)

TOPICS = {"/joint_states": JOINT_STATES, "/tf": FRAME_TRANSFORMS, "/armature": SAMPLE}
