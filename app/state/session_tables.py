"""The tables of `session.toml`; invalid and unknown fields are listed, and the others are read."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from armature.app.state.plot_names import DEFAULT, MOST
from armature.engine.errors import LARGEST, one_line, shown
from armature.engine.model.file_values import Inertia, NotNegative, Number, Positive, Vector

FORMAT = 1
MOST_NAMES, MOST_ROWS = 1000, 4000

Text = Annotated[str, Field(max_length=1000)]
Numbers = Annotated[list[Number], Field(max_length=MOST_ROWS)]
Names = Annotated[list[Text], Field(max_length=MOST_NAMES)]
Row = Annotated[list[Number], Field(max_length=64)]
Indices = Annotated[list[Annotated[int, Field(ge=0, lt=MOST_NAMES)]], Field(max_length=MOST_NAMES)]
Hash = Annotated[str, Field(pattern="^([0-9a-f]{64})?$")]
Part = Annotated[str, Field(max_length=200)]
"""Name of an entry of the archive."""


class SessionTable(BaseModel):
    """A table of the file. Keys that this version does not know are in `model_extra`."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)


class RobotTable(SessionTable):
    """The arm: an included one by name, or a `file` of the archive, which may also exist on this machine at `path`."""

    included: Text = ""
    file: Part = ""
    path: Text = ""
    disk_hash: Hash = ""
    model: Hash = ""
    meshes: dict[Text, Part] = Field(default_factory=dict, max_length=MOST_NAMES)


class PoseTable(SessionTable):
    """Joint positions, and speeds and accelerations if they were entered, in rad and m."""

    q: Numbers = Field(default_factory=list)
    qd: Numbers = Field(default_factory=list)
    qdd: Numbers = Field(default_factory=list)


class SimulationTable(SessionTable):
    """Solver settings."""

    dt: Annotated[float, Field(ge=5e-5, le=0.02)] = 1e-3
    integrator: Text = "rk4"
    speed: Positive = 1.0


class FrictionTable(SessionTable):
    """Friction of a joint."""

    viscous: NotNegative = 0.0
    coulomb: Annotated[list[NotNegative], Field(min_length=2, max_length=2)] = Field(default_factory=lambda: [0.0, 0.0])
    stiction: NotNegative = 0.0


class PayloadTable(SessionTable):
    """Body in the tool frame, in kg, m and kg·m²."""

    mass: Positive
    com: Vector
    inertia: Inertia


class ConditionsTable(SessionTable):
    """External conditions."""

    friction: bool = True
    smooth: Names = Field(default_factory=list)
    gravity: Vector | None = None
    stops: bool = True
    wear: Annotated[Positive, Field(le=1e3)] = 1.0
    rubbing: dict[Text, FrictionTable] = Field(default_factory=dict, max_length=MOST_NAMES)
    payload: PayloadTable | None = None


class CodeTable(SessionTable):
    """A Python file of the archive, where it was, and the values of its parameters."""

    file: Part
    path: Text = ""
    values: dict[Text, Number] = Field(default_factory=dict, max_length=MOST_NAMES)


class ControlTable(SessionTable):
    """The chosen controller and the gains that were edited, by controller."""

    law: Text = "torque"
    enabled: bool = True
    saturate: bool = True
    period: NotNegative = 0.0
    knows_payload: bool = True
    knows_friction: bool = True
    assumed_mass: NotNegative = 0.0
    gains: dict[Text, Annotated[list[Row], Field(max_length=300)]] = Field(default_factory=dict, max_length=100)
    code: CodeTable | None = None


class SensorsTable(SessionTable):
    """Sensors of the controller."""

    on: bool = False
    values: dict[Text, NotNegative] = Field(default_factory=dict, max_length=20)


class TrajectoryTable(SessionTable):
    """Waypoints as a trajectory file, or a function of time as Python code."""

    file: Part = ""
    selected: Annotated[int, Field(ge=-1, le=MOST_NAMES)] = -1
    code: CodeTable | None = None


class CellTable(SessionTable):
    """A cell file, the selected object and the hidden ones."""

    file: Part = ""
    path: Text = ""
    selected: Text = ""
    hidden: Names = Field(default_factory=list)


class WorkspaceTable(SessionTable):
    """Settings of a sampled workspace, which is computed again; `joints` None: all move."""

    samples: Annotated[int, Field(ge=1000, le=2_000_000)] = 100_000
    quantity: Text = "manipulability"
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    limits: bool = True
    floor: bool = True
    contacts: bool = False
    joints: Indices | None = None


class ViewTable(SessionTable):
    """The 3D view: `camera` as azimuth and elevation in degrees, if it is not fitted with target and distance in m.

    `fit`: of a fitted view, target and distance in m, and width and height of the view in px.
    """

    camera: Numbers = Field(default_factory=list)
    fit: Numbers = Field(default_factory=list)
    orthographic: bool = False
    overlays: dict[Text, bool] = Field(default_factory=dict, max_length=200)
    frame_size: int = 100
    shapes: Text = "visual"
    gizmo: bool = False
    gizmo_tool_axes: bool = False
    stop_at_contact: bool = False
    hand_mode: Text = "pose"
    selected_joint: Annotated[int, Field(ge=-1, le=256)] = -1
    hidden_links: Indices = Field(default_factory=list)
    hidden_frames: Indices = Field(default_factory=list)
    trace: Part = ""


class WindowTable(SessionTable):
    """Units, panels and plots; `layout` is Qt's own description of the panels in base64."""

    angle_unit: Literal["deg", "rad"] = "deg"
    length_unit: Literal["m", "mm"] = "m"
    perspective: Text = "explore"
    layout: Annotated[str, Field(max_length=100_000, pattern="^[A-Za-z0-9+/=]*$")] = ""
    plots: Annotated[list[Text], Field(min_length=1, max_length=MOST)] = Field(default_factory=lambda: list(DEFAULT))


class ComparisonTable(SessionTable):
    """A second arm next to the open one: a name or file, "" without one, and what both share."""

    arm: Text = ""
    drive: Literal["joints", "tool", "torques"] = "joints"
    beside: bool = True
    extra_payload: NotNegative = 0.0


class RecordingTable(SessionTable):
    """A recording: a `file` of the archive, or one on this machine at `path` with the SHA-256 `hash`; `t` is the replay's time.

    The first one is open, the others are compared with it.
    """

    file: Part = ""
    path: Text = ""
    hash: Hash = ""
    t: NotNegative = 0.0


class SessionFile(SessionTable):
    """All tables of the file."""

    format: int = Field(ge=1, le=int(LARGEST))
    program: Text = ""
    saved: Text = ""
    notes: Annotated[str, Field(max_length=100_000)] = ""
    robot: RobotTable
    pose: PoseTable = PoseTable()
    poses: dict[Text, Numbers] = Field(default_factory=dict, max_length=MOST_NAMES)
    simulation: SimulationTable = SimulationTable()
    conditions: ConditionsTable = ConditionsTable()
    control: ControlTable = ControlTable()
    sensors: SensorsTable = SensorsTable()
    disturbance: CodeTable | None = None
    trajectory: TrajectoryTable = TrajectoryTable()
    cell: CellTable = CellTable()
    workspace: WorkspaceTable | None = None
    view: ViewTable = ViewTable()
    window: WindowTable = WindowTable()
    comparison: ComparisonTable = ComparisonTable()
    recordings: list[RecordingTable] = Field(default_factory=list, max_length=8)

    def code_by_table(self) -> dict[str, CodeTable]:
        """All Python code of the session."""
        code = {"controller": self.control.code, "disturbance": self.disturbance, "trajectory": self.trajectory.code}
        return {name: table for name, table in code.items() if table is not None}


T = TypeVar("T", bound=SessionTable)


def read_tables(table: dict[str, Any], model: type[T]) -> tuple[T, list[str]]:
    """Return the tables and the names of fields that are invalid or not understood, which were omitted.

    Raises:
        ValueError: a required field is missing or invalid.
    """
    invalid: list[str] = []
    while True:
        try:
            read = model.model_validate(table)
            return read, [*invalid, *_unknown(read, "")]
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            place = _without_value(table, list(fault["loc"]))
            message = f"{fault['loc'][-1]} is missing" if fault["type"] == "missing" else fault["msg"]
            value = "" if ", got" in message or fault["type"] == "missing" else f", got {shown(fault['input'])}"
            what = one_line(f"{place}: {message}{value}", 200)
            if not place or (place in model.model_fields and model.model_fields[place].is_required()):
                raise ValueError(what) from None
            invalid.append(what)


def _without_value(table: Any, loc: list[Any]) -> str:
    """Remove the value at `loc`, or the table around it if a value is missing there, and return its name."""
    path: list[str] = []
    for key in loc:
        if not isinstance(key, str) or not isinstance(table, dict) or key not in table:
            break
        path.append(key)
        holder, table = table, table[key]
    if path:
        del holder[path[-1]]
    elif loc:
        return str(loc[0])
    return ".".join(path)


def _unknown(table: SessionTable, place: str) -> list[str]:
    found = [f"{place}{one_line(key, 40)}" for key in table.model_extra or {}]
    for name, value in table:
        inner = value if isinstance(value, list) else value.values() if isinstance(value, dict) else [value]
        for one in inner:
            found += _unknown(one, f"{place}{name}.") if isinstance(one, SessionTable) else []
    return list(dict.fromkeys(found))
