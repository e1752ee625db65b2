"""Messages between script and window: plain values in MessagePack, checked against these types on reading.

Unlike unpickling, reading a message runs no code of its sender; doubles are transmitted exactly.
"""

from __future__ import annotations

import time
from typing import Any

import msgspec

PROTOCOL = 1
LARGEST = 1 << 30  # bytes of a message
MOST_SAMPLES = 20_000  # of a plot that wait for the other side; older ones make room
encode = msgspec.msgpack.Encoder().encode
BadMessageError = msgspec.DecodeError


class Hello(msgspec.Struct, tag=True):
    """The first word of a script."""

    protocol: int
    name: str
    pid: int


class Welcome(msgspec.Struct, tag=True):
    """The window follows this script from now on."""

    protocol: int


class Refused(msgspec.Struct, tag=True):
    """Refusal of a script."""

    why: str


class Samples(msgspec.Struct):
    """Samples of a plot: times in s and as many rows of values; `names` of the curves."""

    t: list[float]
    rows: list[list[float]]
    names: list[str]


class Arrow(msgspec.Struct):
    """An arrow from `start` along `vector`, drawn `scale` m long per unit; 0 leaves that to the window."""

    start: tuple[float, float, float]
    vector: tuple[float, float, float]
    scale: float
    unit: str
    colour: str


class Text(msgspec.Struct):
    """Text at a point in W, or at the top of the view."""

    text: str
    at: tuple[float, float, float] | None = None


class Slider(msgspec.Struct):
    """A slider that the script reads."""

    low: float
    high: float
    start: float


class Update(msgspec.Struct, tag=True, omit_defaults=True):
    """Values that a script has set since the last update: the latest of each kind, and every sample of plots.

    `number` counts the poses that were set, `sent` is the time of the last one, s of the system's monotonic clock. None removes.
    """

    number: int = 0
    sent: float = 0.0
    q: list[float] | None = None
    plots: dict[str, Samples] = {}
    ghosts: dict[str, list[float] | None] = {}
    arrows: dict[str, Arrow | None] = {}
    texts: dict[str, Text | None] = {}
    sliders: dict[str, Slider] = {}
    buttons: dict[str, bool] = {}

    def add(self, later: Update) -> None:
        """Merge a later update."""
        if later.q is not None:
            self.q, self.number, self.sent = later.q, later.number, later.sent
        for name, samples in later.plots.items():
            self.plot(name, samples)
        self.ghosts.update(later.ghosts)
        self.arrows.update(later.arrows)
        self.texts.update(later.texts)
        self.sliders.update(later.sliders)
        self.buttons.update(later.buttons)

    def plot(self, name: str, samples: Samples) -> None:
        """Append samples of a plot; other curve names restart it."""
        old = self.plots.get(name)
        if old is None or old.names != samples.names:
            self.plots[name] = samples
            return
        old.t += samples.t
        old.rows += samples.rows
        if len(old.t) > 2 * MOST_SAMPLES:
            del old.t[:-MOST_SAMPLES], old.rows[:-MOST_SAMPLES]


class OpenRobot(msgspec.Struct, tag=True):
    """Show this robot: a file, and the changes since it was read."""

    place: str
    changes: list[Any]


class OpenFile(msgspec.Struct, tag=True):
    """Open a recording of the robot that is shown, or a trajectory; one that is `temporary` is removed then."""

    path: str
    temporary: bool = False


class ShowWorkspace(msgspec.Struct, tag=True):
    """A sampled workspace, its arrays as raw doubles: points (N, 3), values (N,), q (N, n)."""

    points: bytes
    values: bytes
    q: bytes
    quantity: str
    seed: int
    complete: bool


class Surface(msgspec.Struct):
    """One singular surface: raw doubles (V, 3), raw 64-bit indices (T, 3), a byte per piece."""

    kind: str
    name: str
    vertices: bytes
    triangles: bytes
    bounds: bytes


class ShowSurfaces(msgspec.Struct, tag=True):
    """Singular surfaces of the arm that is shown."""

    surfaces: list[Surface]
    point: str
    joints: list[int]
    complete: bool


class ShowPath(msgspec.Struct, tag=True):
    """Path of the tool, raw doubles (N, 3) in W; empty for none."""

    points: bytes


class Clear(msgspec.Struct, tag=True):
    """Take away everything that this script shows."""


class SavePage(msgspec.Struct, tag=True):
    """Write the web page of the window to this file."""

    path: str


class CloseWindow(msgspec.Struct, tag=True):
    """End the program."""


class Sync(msgspec.Struct, tag=True):
    """Answer when everything before this is done."""


class Order(msgspec.Struct, tag=True):
    """Something that the window is to do once, in turn, and to answer."""

    number: int
    what: OpenRobot | OpenFile | ShowWorkspace | ShowSurfaces | ShowPath | SavePage | Clear | CloseWindow | Sync


class Answer(msgspec.Struct, tag=True):
    """The order of this number is done, or failed with `error`."""

    number: int
    error: str = ""


class RobotShown(msgspec.Struct, tag=True):
    """Robot in the window, its file, and its pose."""

    name: str
    place: str
    changes: list[Any]
    joints: list[str]
    q: list[float]


class Report(msgspec.Struct, tag=True):
    """State of the window: `q` after the pose of that `number`, `edits` counts the user's motions since.

    `drawn` is the number of the newest pose on the screen, which was set at `sent` and seen at `seen`.
    """

    number: int = 0
    q: list[float] = []
    edits: int = 0
    held: bool = False
    drawn: int = 0
    sent: float = 0.0
    seen: float = 0.0
    values: dict[str, float] = {}
    presses: dict[str, int] = {}


class Parted(msgspec.Struct, tag=True):
    """The window lets go of the script, and why."""

    why: str


FromScript = Hello | Update | Order
FromWindow = Welcome | Refused | Answer | RobotShown | Report | Parted

read_script = msgspec.msgpack.Decoder(FromScript).decode
read_window = msgspec.msgpack.Decoder(FromWindow).decode


def now() -> float:
    """Seconds of a clock that all processes of the machine share."""
    return time.monotonic()
