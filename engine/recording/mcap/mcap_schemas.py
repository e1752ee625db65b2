"""The messages of a `.mcap` recording, described in JSON Schema.

`foxglove.JointStates`, `foxglove.FrameTransforms` and `foxglove.SceneUpdate` are Foxglove's own, which Foxglove and PlotJuggler
know by name; fields and units as in https://docs.foxglove.dev/docs/sdk/schemas. `armature.Sample` is what a recording has
besides.
"""

from __future__ import annotations

from typing import Any


def number_schema(description: str) -> dict[str, Any]:
    """JSON schema of a number."""
    return {"type": "number", "description": description}


def text_schema(description: str) -> dict[str, Any]:
    """JSON schema of a text."""
    return {"type": "string", "description": description}


def array_schema(items: dict[str, Any], description: str) -> dict[str, Any]:
    """A list of like things."""
    return {"type": "array", "description": description, "items": items}


def object_schema(title: str, description: str, required: tuple[str, ...] | None = None, **properties: Any) -> dict[str, Any]:
    """JSON schema of an object with these properties, all required unless `required` names some."""
    needed = list(properties if required is None else required)
    schema = {"title": title, "description": description, "type": "object", "properties": properties}
    return {**schema, "required": needed} if needed else schema


TIME = object_schema(
    "time",
    "Time since 1970-01-01 UTC",
    (),
    sec={"type": "integer", "minimum": 0, "description": "Whole seconds"},
    nsec={"type": "integer", "minimum": 0, "maximum": 999_999_999, "description": "Remaining nanoseconds"},
)
VECTOR = object_schema("foxglove.Vector3", "x, y and z, m", x=number_schema("m"), y=number_schema("m"), z=number_schema("m"))
QUATERNION = object_schema(
    "foxglove.Quaternion",
    "A rotation as a unit quaternion",
    x=number_schema("Quaternion: first imaginary part"),
    y=number_schema("Quaternion: second imaginary part"),
    z=number_schema("Quaternion: third imaginary part"),
    w=number_schema("Quaternion: real part"),
)
_JOINT = object_schema(
    "foxglove.JointState",
    "State of one joint; values that are not finite are omitted",
    ("name",),
    name=text_schema("Name in the robot file"),
    position=number_schema("rad, or m for a prismatic joint"),
    velocity=number_schema("rad/s or m/s"),
    acceleration=number_schema("rad/s² or m/s²"),
    effort=number_schema("Motor torque in N·m, or force in N"),
)
JOINT_STATES = object_schema(
    "foxglove.JointStates",
    "All joints at one instant",
    timestamp=TIME,
    joints=array_schema(_JOINT, "In the order of the columns"),
)
_TRANSFORM = object_schema(
    "foxglove.FrameTransform",
    "Pose of a frame in its parent",
    timestamp=TIME,
    parent_frame_id=text_schema("Parent frame"),
    child_frame_id=text_schema("Child frame: the tool or a link"),
    translation=VECTOR,
    rotation=QUATERNION,
)
FRAME_TRANSFORMS = object_schema(
    "foxglove.FrameTransforms",
    "Pose of the tool in the world and, about 60 times per second, of every link in its parent link",
    transforms=array_schema(_TRANSFORM, "The tool first; poses that are not finite are omitted"),
)
SAMPLE = object_schema(
    "armature.Sample",
    "Scalar values of a sample; values that are not finite are omitted",
    ("timestamp",),
    timestamp=TIME,
    t=number_schema("Time since the start of the recording, s"),
    sigma_min=number_schema("Smallest singular value of the Jacobian, m/rad; 0 at a singularity"),
    kinetic=number_schema("Kinetic energy of arm and payload, J"),
    potential=number_schema("Potential energy of arm and payload, J"),
    row=array_schema(
        text_schema("One column"), "All columns as text, including NaN and inf; only present if a value is not finite"
    ),
)

SAMPLE_TOPICS = {"/joint_states": JOINT_STATES, "/tf": FRAME_TRANSFORMS, "/armature": SAMPLE}
"""A message on each for every sample."""
MEASURED = {"/measured/joint_states": JOINT_STATES}
"""Additional topic of runs with sensors: measured position, velocity and effort."""
