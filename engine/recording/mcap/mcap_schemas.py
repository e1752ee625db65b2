"""The messages of a `.mcap` recording, described in JSON Schema.

`foxglove.JointStates`, `foxglove.FrameTransforms` and `foxglove.SceneUpdate` are Foxglove's own, which Foxglove and PlotJuggler
know by name; fields and units as in https://docs.foxglove.dev/docs/sdk/schemas. `armature.Sample` is what a recording has
besides.
"""

from __future__ import annotations

from typing import Any


def number(description: str) -> dict[str, Any]:
    """A number, and what it means."""
    return {"type": "number", "description": description}


def text(description: str) -> dict[str, Any]:
    """A text, and what it means."""
    return {"type": "string", "description": description}


def array(items: dict[str, Any], description: str) -> dict[str, Any]:
    """A list of like things."""
    return {"type": "array", "description": description, "items": items}


def described(title: str, description: str, required: tuple[str, ...] | None = None, **properties: Any) -> dict[str, Any]:
    """An object of these fields, which are all required unless it says which are."""
    needed = list(properties if required is None else required)
    schema = {"title": title, "description": description, "type": "object", "properties": properties}
    return {**schema, "required": needed} if needed else schema


TIME = described(
    "time",
    "Time since 1970-01-01 UTC",
    (),
    sec={"type": "integer", "minimum": 0, "description": "Whole seconds"},
    nsec={"type": "integer", "minimum": 0, "maximum": 999_999_999, "description": "Remaining nanoseconds"},
)
VECTOR = described("foxglove.Vector3", "x, y and z, m", x=number("m"), y=number("m"), z=number("m"))
QUATERNION = described(
    "foxglove.Quaternion",
    "A rotation as a unit quaternion",
    x=number("Quaternion: first imaginary part"),
    y=number("Quaternion: second imaginary part"),
    z=number("Quaternion: third imaginary part"),
    w=number("Quaternion: real part"),
)
_JOINT = described(
    "foxglove.JointState",
    "State of one joint; values that are not finite are omitted",
    ("name",),
    name=text("Name in the robot file"),
    position=number("rad, or m for a prismatic joint"),
    velocity=number("rad/s or m/s"),
    acceleration=number("rad/s² or m/s²"),
    effort=number("Motor torque in N·m, or force in N"),
)
JOINT_STATES = described(
    "foxglove.JointStates", "All joints at one instant", timestamp=TIME, joints=array(_JOINT, "In the order of the columns")
)
_TRANSFORM = described(
    "foxglove.FrameTransform",
    "Pose of a frame in its parent",
    timestamp=TIME,
    parent_frame_id=text("Parent frame"),
    child_frame_id=text("Child frame: the tool or a link"),
    translation=VECTOR,
    rotation=QUATERNION,
)
FRAME_TRANSFORMS = described(
    "foxglove.FrameTransforms",
    "Pose of the tool in the world and, about 60 times per second, of every link in its parent link",
    transforms=array(_TRANSFORM, "The tool first; poses that are not finite are omitted"),
)
SAMPLE = described(
    "armature.Sample",
    "Scalar values of a sample; values that are not finite are omitted",
    ("timestamp",),
    timestamp=TIME,
    t=number("Time since the start of the recording, s"),
    sigma_min=number("Smallest singular value of the Jacobian, m/rad; 0 at a singularity"),
    kinetic=number("Kinetic energy of arm and payload, J"),
    potential=number("Potential energy of arm and payload, J"),
    row=array(text("One column"), "All columns as text, including NaN and inf; only present if a value is not finite"),
)

SAMPLE_TOPICS = {"/joint_states": JOINT_STATES, "/tf": FRAME_TRANSFORMS, "/armature": SAMPLE}
"""A message on each for every sample."""
MEASURED = {"/measured/joint_states": JOINT_STATES}
"""Another one where sensors stand between the arm and its law: position, velocity and effort as they tell them."""
