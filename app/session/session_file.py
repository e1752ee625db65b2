"""A session as a file: everything on the desk, from and to the parts of its archive."""

from __future__ import annotations

import copy
import hashlib
import io
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from armature.app.session.session_archive import (
    CHUNK,
    LARGEST_TEXT,
    SUFFIX,
    IsCancelled,
    Progress,
    SessionArchive,
    SessionError,
    ignore,
    never,
    write_archive,
)
from armature.app.session.session_robot import INSIDE, MeshParts, OpenArm, Parts, arm_of, is_mesh, local_file, robot_parts
from armature.app.state.session_tables import FORMAT, RecordingTable, SessionFile, read_tables
from armature.engine import Cell, EngineError, load_cell
from armature.engine.contact.cell_file import cell_text
from armature.engine.errors import Cancelled, one_line
from armature.engine.files import reason
from armature.engine.model.file_bytes import Unreadable, real_path
from armature.engine.model.robot_changes import fingerprint
from armature.engine.model.toml.robot_file import table_of
from armature.engine.model.toml.robot_writer import toml_key, toml_value
from armature.engine.recording.recording_formats import SUFFIXES
from armature.engine.recording.recording_notes import sidecar
from armature.engine.version import VERSION

if TYPE_CHECKING:
    from armature.engine import Plan

TABLES, CELL, TRAJECTORY, TRACE = "session.toml", "cell.toml", "trajectory.toml", "trace.csv"
TEXTS = (CELL, TRAJECTORY, "robot.toml", "robot.urdf", "robot.armature.toml")  # that are read as files
LONGEST_TRACE = 8000  # points
LARGEST_MESH = 200_000_000  # bytes
_hashes: dict[tuple[Path, int, int], str] = {}  # of recordings, by path, size and time of change


@dataclass(frozen=True, eq=False)
class Desk:
    """Content of a session: `tables` as in the file, files of `code` by its table, the open one of `recordings` first."""

    tables: Mapping[str, Any]
    arm: OpenArm
    cell: Cell
    plan: str = ""
    code: Mapping[str, Path] = field(default_factory=dict)
    trace: np.ndarray = field(default_factory=lambda: np.zeros((0, 4)))
    recordings: tuple[Path, ...] = ()
    t: float = 0.0

    def same_as(self, other: Desk | None) -> bool:
        """Return whether both have the same content; the trace is not compared."""
        return other is not None and self._content == other._content

    @property
    def _content(self) -> tuple[object, ...]:
        robot, draft = self.arm
        arm = id(robot) if draft is None else draft.text
        return self.tables, arm, self.cell, self.plan, self.code, self.recordings, self.t


@dataclass(frozen=True, eq=False)
class SavedSession:
    """A session that was read. `remarks` names omitted parts with the reason; `code` has the Python texts by their table."""

    path: Path
    file: SessionFile
    arm: OpenArm
    cell: Cell | None
    plan: Plan | None
    trace: np.ndarray
    code: Mapping[str, str]
    recordings: tuple[Path, ...]
    remarks: tuple[str, ...]
    folder: Path


def save_session(
    desk: Desk,
    path: Path,
    by_reference: bool = False,
    progress: Progress = ignore,
    cancelled: IsCancelled = never,
) -> None:
    """Write a session atomically; recordings by content, or by path and hash.

    Raises:
        SessionError: a file cannot be read or written.
        Cancelled: `cancelled()` returned True.
    """
    if path.suffix.lower() != SUFFIX:
        raise SessionError(f"{path}: the suffix of a session must be {SUFFIX}")
    parts: Parts = {TABLES: b""}
    meshes = MeshParts(parts)
    tables: dict[str, Any] = {"format": FORMAT, "program": VERSION, **desk.tables}
    tables["robot"] = robot_parts(desk.arm, parts, meshes)
    tables["cell"] = {**tables.get("cell", {}), **_cell_parts(desk.cell, parts, meshes)}
    if desk.plan:
        parts[TRAJECTORY] = desk.plan.encode()
        tables["trajectory"] = {**tables.get("trajectory", {}), "file": TRAJECTORY}
    for name, source in desk.code.items():
        parts[f"code/{name}.py"] = _code_bytes(source)
    if len(desk.trace):
        text = io.StringIO()
        np.savetxt(text, desk.trace, "%.7g", ",", header="x,y,z,gap", comments="")
        parts[TRACE] = text.getvalue().encode()
        tables["view"] = {**tables.get("view", {}), "trace": TRACE}
    tables["recordings"] = [_recording(one, k, by_reference, parts, cancelled) for k, one in enumerate(desk.recordings)]
    for table in tables["recordings"][:1]:
        table["t"] = desk.t
    parts[TABLES] = tables_text(tables).encode(errors="replace")
    write_archive(path, parts, progress, cancelled)


def _cell_parts(cell: Cell, parts: Parts, meshes: MeshParts) -> dict[str, Any]:
    there = copy.copy(cell)
    vars(there)["objects"] = tuple(map(copy.copy, cell.objects))
    for thing in there.objects:
        if thing.file is not None:
            vars(thing)["file"] = INSIDE.absolute() / meshes.name(Path(thing.file))
    parts[CELL] = cell_text(there, INSIDE.absolute()).encode()
    return {"file": CELL, "path": "" if cell.source is None else str(cell.source)}


def _code_bytes(source: Path) -> bytes:
    try:
        return source.read_bytes()
    except OSError as error:
        raise SessionError(f"{source}: {reason(error)}") from None


def _recording(path: Path, k: int, by_reference: bool, parts: Parts, cancelled: IsCancelled) -> dict[str, Any]:
    try:
        if by_reference:
            return {"path": str(path.absolute()), "hash": _file_hash(path, cancelled)}
        name = "".join(c if c.isalnum() or c in " .-_()" else "_" for c in path.name)[-150:]
        parts[f"recordings/{k}/{name}"] = path
        if sidecar(path).is_file():
            parts[sidecar(Path(f"recordings/{k}/{name}")).as_posix()] = sidecar(path)
        return {"file": f"recordings/{k}/{name}"}
    except OSError as error:
        raise SessionError(f"{path}: {reason(error)}") from None


def _file_hash(path: Path, cancelled: IsCancelled) -> str:
    state = path.stat()
    key = path, state.st_size, state.st_mtime_ns
    if key not in _hashes:
        digest = hashlib.sha256()
        with path.open("rb") as stream:
            while chunk := stream.read(CHUNK):
                digest.update(chunk)
                if cancelled():
                    raise Cancelled
        _hashes[key] = digest.hexdigest()
    return _hashes[key]


def tables_text(tables: Mapping[str, Any]) -> str:
    """Return the tables as TOML; values None are omitted."""
    lines: list[str] = []

    def write(table: Mapping[str, Any]) -> None:
        lines.extend(f"{toml_key(key)} = {toml_value(_given(value))}" for key, value in table.items() if value is not None)

    write({key: value for key, value in tables.items() if not isinstance(value, dict) and key != "recordings"})
    for name, table in tables.items():
        if isinstance(table, dict):
            lines.extend(["", f"[{name}]"])
            write(table)
    for table in tables.get("recordings", []):
        lines.extend(["", "[[recordings]]"])
        write(table)
    return "\n".join(lines).replace("\x7f", " ") + "\n"


def _given(value: Any) -> Any:
    return {key: _given(one) for key, one in value.items() if one is not None} if isinstance(value, Mapping) else value


def load_session(
    path: Path,
    folder: Path,
    large: Path,
    progress: Progress = ignore,
    cancelled: IsCancelled = never,
) -> SavedSession:
    """Read a session; no code of it is executed.

    Args:
        path: the session.
        folder: folder for the files that the robot and the cell refer to, which have to remain.
        large: folder that receives the recordings.
        progress: `progress(done, total)` in bytes of a recording.
        cancelled: if it returns True, Cancelled is raised.

    Raises:
        SessionError: not a session, a hostile archive, or one without a robot that can be read.
        Cancelled: `cancelled()` returned True.
    """
    with SessionArchive(path) as archive:
        file, remarks = read_manifest(archive)
        digest = hashlib.sha256(repr(archive.fingerprint).encode()).hexdigest()[:16]
        reader = _SessionReader(archive, folder / digest, remarks)
        is_new = not reader.folder.exists()
        try:
            for name in archive.sizes:
                if name in TEXTS or is_mesh(name):
                    archive.extract(name, reader.folder / name, LARGEST_MESH if is_mesh(name) else LARGEST_TEXT)
            arm = arm_of(archive, file.robot, reader.folder)
        except EngineError as error:
            raise SessionError(f"{path}: the robot cannot be read: {reader.inside(error)}") from None
        if file.robot.included and file.robot.model not in ("", fingerprint(arm.robot)):
            remarks.append(f"robot: {arm.robot.name} is not the same in this version")
        if unknown := [name for name in archive.sizes if not _is_known(name)]:
            remarks.extend(f"{one_line(name, 60)}: is not understood" for name in unknown[:5])
        cell = plan = None
        trace, code, recordings = np.zeros((0, 4)), dict[str, str](), list[Path]()
        with reader.omitting("cell"):
            cell = reader.cell(file)
        with reader.omitting("trajectory"):
            plan = reader.plan(file, arm)
        with reader.omitting("view.trace"):
            trace = reader.trace(file)
        for name, table in file.code_by_table().items():
            with reader.omitting(name):
                code[name] = archive.text(table.file)
        for k, one in enumerate(file.recordings):
            with reader.omitting(f"recordings[{k}]"):
                recordings.append(reader.recording(one, large / digest, progress, cancelled))
        if is_new and not _refers(arm, cell, reader.folder):
            shutil.rmtree(reader.folder, ignore_errors=True)
        return SavedSession(path, file, arm, cell, plan, trace, code, tuple(recordings), tuple(remarks), reader.folder)


def _refers(arm: OpenArm, cell: Cell | None, folder: Path) -> bool:
    """Whether an arm or a cell has files in a folder."""
    shapes = (*arm.robot.visuals, *arm.robot.collisions)
    files = [arm.robot.source, *(shape.path for shape in shapes), *(thing.file for thing in (cell or Cell()).objects)]
    return any(file is not None and folder.name in Path(file).parts for file in files)


def check_session(path: Path) -> None:
    """Raise SessionError for a file that is not a session or whose archive is refused."""
    with SessionArchive(path) as archive:
        read_manifest(archive)


def read_manifest(archive: SessionArchive) -> tuple[SessionFile, list[str]]:
    """Return `session.toml` and remarks on fields that were omitted. Raises SessionError."""
    try:
        table = table_of(archive.read(TABLES), "session", "format and [robot]")
        file, omitted = read_tables(dict(table), SessionFile)
    except (Unreadable, ValueError, RecursionError) as error:
        raise SessionError(f"{archive.path}: {TABLES}: {error}") from None
    return file, omitted


class _SessionReader:
    """Reads the parts of one archive; small files are written to `folder`, where their readers find them."""

    def __init__(self, archive: SessionArchive, folder: Path, remarks: list[str]):
        self._archive, self.folder, self._remarks = archive, folder, remarks

    @contextmanager
    def omitting(self, part: str) -> Iterator[None]:
        """Omit a part that cannot be read, with a remark."""
        try:
            yield
        except (EngineError, OSError) as error:
            self._remarks.append(f"{part}: {self.inside(error)}")

    def inside(self, error: Exception) -> str:
        """The message without the names of the session and of the folder."""
        text = reason(error) if isinstance(error, OSError) else str(error)
        for known in (f"{self.folder}/", f"{self.folder}\\", f"{self._archive.path}: "):
            text = text.replace(known, "")
        return text

    def cell(self, file: SessionFile) -> Cell | None:
        if not file.cell.file:
            return None
        cell = load_cell(self.folder / CELL)
        for thing in cell.objects:
            if thing.file is not None and not Path(thing.file).is_relative_to(real_path(self.folder)):
                raise SessionError(f"{CELL}: the file of {thing.name} is not in the session")
        own = local_file(file.cell.path)
        try:  # the file it came from, if that is still there
            return _placed(cell, Cell() if own is None else load_cell(own))
        except EngineError:
            return _placed(cell, Cell())

    def plan(self, file: SessionFile, arm: OpenArm) -> Plan | None:
        from armature.engine import load_plan  # numba: not before the window is on screen

        return load_plan(self.folder / TRAJECTORY, arm.robot) if file.trajectory.file else None

    def trace(self, file: SessionFile) -> np.ndarray:
        if not file.view.trace:
            return np.zeros((0, 4))
        try:
            trace = np.loadtxt(io.StringIO(self._archive.text(TRACE)), delimiter=",", skiprows=1, ndmin=2, max_rows=LONGEST_TRACE)
        except ValueError as error:
            raise SessionError(f"{TRACE}: {one_line(str(error), 120)}") from None
        if trace.shape[1] != 4 or not np.isfinite(trace).all() or np.abs(trace).max(initial=0.0) > 1e6:
            raise SessionError(f"{TRACE}: must have the columns x, y, z and gap with finite numbers")
        return trace

    def recording(self, table: RecordingTable, folder: Path, progress: Progress, cancelled: IsCancelled) -> Path:
        if not table.file:
            return self._referenced(table, cancelled)
        if table.file not in self._archive.sizes or not table.file.startswith("recordings/"):
            raise SessionError(f"{one_line(table.file, 60)!r} is not a recording of the session")
        if not table.file.lower().endswith(SUFFIXES):
            raise SessionError(f"{table.file}: a recording must be {', '.join(SUFFIXES)}")
        target = folder / table.file
        notes = sidecar(Path(table.file)).as_posix()
        if notes in self._archive.sizes:
            self._archive.extract(notes, sidecar(target), cancelled=cancelled)
        self._archive.extract(table.file, target, progress=progress, cancelled=cancelled)
        return target

    def _referenced(self, table: RecordingTable, cancelled: IsCancelled) -> Path:
        path = local_file(table.path)
        if path is None or not path.name.lower().endswith(SUFFIXES):
            raise SessionError(f"{one_line(table.path, 120)!r} is not on this machine")
        if _file_hash(path, cancelled) != table.hash:
            raise SessionError(f"{path.name} has changed since the session was saved")
        return path


def _placed(cell: Cell, own: Cell) -> Cell:
    """The cell with the file that it belongs to."""
    placed = copy.copy(cell)
    vars(placed).update(source=own.source, text=own.text)
    return placed


def _is_known(name: str) -> bool:
    return name in (TABLES, TRACE, *TEXTS) or name.startswith(("code/", "meshes/", "recordings/"))
