"""What the program remembers between runs: one frozen value with a schema version, and where it is kept."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields, replace
from math import isfinite

from PySide6.QtCore import QSettings

from armature.app.state.choices.overlay_choices import FRAME_SIZES, OVERLAYS
from armature.app.state.choices.screenshot_options import ScreenshotOptions, decoded
from armature.app.state.plot_names import DEFAULT, MOST
from armature.app.state.plot_names import checked as checked_plot
from armature.engine.recording.recording_formats import USUAL
from armature.engine.thresholds import CONDITION_STOP, CONDITION_WARN

SCHEMA = 1
RENAMED = {"motion": "trajectory"}  # perspectives, by the names that earlier versions gave them
CHOICES = {
    "perspective": ("explore", "singularity", "workspace", "trajectory", "dynamics", "equations", "all"),
    "theme": ("system", "light", "dark"),
    "angle_unit": ("deg", "rad"),
    "length_unit": ("m", "mm"),
    "text_scale": (100, 125, 150, 200),
    "frame_size": FRAME_SIZES,
    "recording_format": ("csv", "npz", "mat", "mcap"),
    "hand_mode": ("pose", "position", "locked"),
    "shapes": ("visual", "collision", "both"),
}
RECENT = 8
CAMERAS = 40  # robots whose view is remembered


@dataclass(frozen=True)
class Settings:
    """Everything remembered. Thresholds are condition numbers; `cameras` has azimuth and elevation in degrees by robot, and
    where the view was not fitted target and distance in m; `poses` has joint positions in rad and m by robot and name; `geometry`
    and `layouts`, by perspective, are Qt's own bytes in base64; `questions` tells by name which were solved or looked up, and
    `imports` by the columns of a log what was taken for what."""

    schema: int = SCHEMA
    theme: str = "system"
    angle_unit: str = "deg"
    length_unit: str = "m"
    text_scale: int = 100
    overlays: dict = field(default_factory=lambda: dict(OVERLAYS))
    frame_size: int = 100
    warn_condition: float = CONDITION_WARN
    stop_condition: float = CONDITION_STOP
    recent_files: tuple[str, ...] = ()
    recent_laws: tuple[str, ...] = ()
    recording_folder: str = ""
    recording_format: str = USUAL.removeprefix(".")
    last_recording: str = ""
    screenshot_folder: str = ""
    plots: tuple[str, ...] = DEFAULT
    gizmo: bool = False
    gizmo_tool_axes: bool = False
    stop_at_contact: bool = False
    stop_run_at_contact: bool = False
    hand_mode: str = "pose"
    shapes: str = "visual"
    joint_motion: bool = False
    screenshot: ScreenshotOptions = field(default_factory=ScreenshotOptions)
    orthographic: bool = False
    camera_glides: bool = True
    cameras: dict = field(default_factory=dict)
    poses: dict = field(default_factory=dict)
    geometry: str = ""
    perspective: str = "explore"
    layouts: dict = field(default_factory=dict)
    questions: dict = field(default_factory=dict)
    question_folder: str = ""
    imports: dict = field(default_factory=dict)

    def with_recent(self, path: str) -> Settings:
        """These settings with `path` first in the list of recent files."""
        return replace(self, recent_files=(path, *(p for p in self.recent_files if p != path))[:RECENT])

    def with_recent_law(self, path: str) -> Settings:
        """These settings with `path` first in the list of recent control laws."""
        return replace(self, recent_laws=(path, *(p for p in self.recent_laws if p != path))[:RECENT])

    def with_overlay(self, name: str, on: bool) -> Settings:
        """These settings with one overlay switched."""
        return replace(self, overlays={**self.overlays, name: on})


def robot_key(robot) -> str:
    """What tells robots apart among what is remembered: the file, or the name of one that has none."""
    return str(robot.source or robot.name)


def with_camera(cameras: dict, robot: str, view: tuple[float, ...]) -> dict:
    """Cameras by robot with one more; the ones set longest ago make room."""
    others = [(name, old) for name, old in cameras.items() if name != robot]
    return dict([*others[-(CAMERAS - 1) :], (robot, view)])


def encode(settings: Settings) -> str:
    """Settings as JSON text."""
    return json.dumps(asdict(settings))


def decode(text: str) -> Settings:
    """Settings from JSON text; raises ValueError with what is wrong in it."""
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"invalid JSON ({error})") from None
    if not isinstance(data, dict):
        raise ValueError("not a table of settings")
    if data.get("schema") != SCHEMA:
        raise ValueError(f"schema {data.get('schema')!r} instead of {SCHEMA}")
    known = {f.name for f in fields(Settings)}
    values = {name: value for name, value in data.items() if name in known}
    values["recent_files"] = tuple(values.get("recent_files", ()))
    values["recent_laws"] = tuple(values.get("recent_laws", ()))
    values["plots"] = _plots(values.get("plots", DEFAULT))
    values["overlays"] = {**OVERLAYS, **_overlays(values.get("overlays", {}))}
    values["cameras"] = _cameras(values.get("cameras", {}))
    values["poses"] = _poses(values.get("poses", {}))
    values["screenshot"] = decoded(values.get("screenshot", {}))
    values.update(_perspectives(values))
    settings = Settings(**values)
    _check(settings)
    return settings


def _overlays(value) -> dict:
    if not isinstance(value, dict) or not all(isinstance(on, bool) for on in value.values()):
        raise ValueError("each overlay must be true or false")
    return {name: on for name, on in value.items() if name in OVERLAYS}


def _cameras(value) -> dict:
    if not isinstance(value, dict) or not all(_is_view(view) for view in value.values()):
        raise ValueError("each camera must have 2 numbers (angles) or 6 (eye and target)")
    return {robot: tuple(map(float, view)) for robot, view in list(value.items())[-CAMERAS:]}


def _poses(value) -> dict:
    good = isinstance(value, dict) and all(isinstance(poses, dict) for poses in value.values())
    if not good or not all(_is_pose(q) for poses in value.values() for q in poses.values()):
        raise ValueError("poses must be a table of joint values by pose name, for each robot")
    return {robot: {name: list(map(float, q)) for name, q in poses.items()} for robot, poses in value.items()}


def _is_pose(q) -> bool:
    return isinstance(q, list) and all(isinstance(v, (int, float)) and isfinite(v) and abs(v) < 1e9 for v in q)


def _plots(value) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= MOST or not all(isinstance(name, str) for name in value):
        raise ValueError(f"plots must be 1 to {MOST} names")
    for name in value:
        checked_plot(name)
    return tuple(value)


def _perspectives(values: dict) -> dict:
    """The perspective and the layouts of perspectives among `values`, by today's names; what is no name or table is left to be
    refused."""
    shown, layouts = values.get("perspective", Settings.perspective), values.get("layouts", {})
    if isinstance(layouts, dict):
        layouts = {RENAMED.get(name, name): layout for name, layout in layouts.items()}
    return {"perspective": RENAMED.get(shown, shown) if isinstance(shown, str) else shown, "layouts": layouts}


def _is_view(view) -> bool:
    numbers = isinstance(view, list) and all(isinstance(v, (int, float)) and isfinite(v) and abs(v) < 1e9 for v in view)
    return numbers and (len(view) == 2 or (len(view) == 6 and view[5] > 0)) and abs(view[1]) <= 90


def _check(settings: Settings):
    values = vars(settings)
    for name, valid in CHOICES.items():
        if values[name] not in valid:
            raise ValueError(f"{name} is {values[name]!r}, valid are {', '.join(map(str, valid))}")
    for name in ("warn_condition", "stop_condition"):
        value = values[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value) or value < 1:
            raise ValueError(f"{name} is {value!r}, it must be a number ≥ 1")
    switches = "orthographic", "camera_glides", "gizmo", "gizmo_tool_axes", "joint_motion"
    for name in (*switches, "stop_at_contact", "stop_run_at_contact"):
        if not isinstance(values[name], bool):
            raise ValueError(f"{name} is {values[name]!r}, it must be true or false")
    texts = (
        settings.recording_folder,
        settings.last_recording,
        settings.screenshot_folder,
        settings.question_folder,
        settings.geometry,
        *settings.recent_files,
        *settings.recent_laws,
    )
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("the settings of folders, files and window geometry must be text")
    for table, of in (
        (settings.layouts, "layouts must have one text for each perspective"),
        (settings.questions, "questions must have one text for each question"),
        (settings.imports, "imports must have one text for each set of columns"),
    ):
        if not isinstance(table, dict) or not all(isinstance(text, str) for pair in table.items() for text in pair):
            raise ValueError(of)


class MemoryStore:
    """Settings kept for the life of the object: what tests inject."""

    def __init__(self, text: str = ""):
        self.text = text

    def load(self) -> tuple[Settings, str]:
        """The settings and a message, empty unless what was stored could not be used."""
        text = self._read()
        if not text:
            return Settings(), ""
        try:
            return decode(text), ""
        except (ValueError, TypeError) as error:
            return Settings(), f"The saved settings are invalid, so the defaults are used: {error}."

    def save(self, settings: Settings) -> str:
        """Keep `settings`; a message where that fails, else empty."""
        self.text = encode(settings)
        return ""

    def _read(self) -> str:
        return self.text


class QtStore(MemoryStore):
    """Settings kept where the platform keeps them, or in the INI file `path`."""

    KEY = "settings"

    def __init__(self, path: str = ""):
        super().__init__()
        self._qt = QSettings(path, QSettings.Format.IniFormat) if path else QSettings("Armature", "Armature")

    def save(self, settings: Settings) -> str:
        """Write `settings` to disk now."""
        super().save(settings)
        self._qt.setValue(self.KEY, self.text)
        self._qt.sync()
        if self._qt.status() == QSettings.Status.NoError:
            return ""
        return f"Settings could not be saved: {self._qt.fileName()} cannot be written."

    def _read(self) -> str:
        value = self._qt.value(self.KEY, "")
        if self._qt.status() == QSettings.Status.FormatError:
            return "unreadable"
        return value if isinstance(value, str) else "not text"
