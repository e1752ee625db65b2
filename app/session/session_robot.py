"""The arm of a session: an included one by name, any other one as a file with its meshes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from armature.app.session.session_archive import SessionArchive, SessionError
from armature.app.state.session_tables import RobotTable
from armature.engine import ModelError, Robot, RobotDraft, load_robot, shipped_robots
from armature.engine.files import PACKAGE
from armature.engine.model.draft.draft_files import hash_on_disk, is_shipped, mesh_names
from armature.engine.model.draft.draft_text import with_values
from armature.engine.model.draft.new_drafts import draft_from_text
from armature.engine.model.draft.text_parts import split
from armature.engine.model.export.urdf_text import urdf_files
from armature.engine.model.file_bytes import real_path
from armature.engine.model.robot_changes import fingerprint
from armature.engine.model.toml.toml_assembly import MESHES
from armature.engine.model.visual import Visual

TOML, URDF = "robot.toml", "robot.urdf"
INSIDE = PACKAGE.parent / "session"  # stands for the archive in names of files that are written into it

Parts = dict[str, bytes | Path]


class OpenArm(NamedTuple):
    """A robot, and its file if it is being edited."""

    robot: Robot
    draft: RobotDraft | None = None


class MeshParts:
    """Collects mesh files as `parts` of an archive, each under a name of its own."""

    def __init__(self, parts: Parts):
        self._parts = parts
        self._names: dict[Path, str] = {}

    def name(self, path: Path) -> str:
        """Return the name in the archive."""
        if path not in self._names:
            stem = "".join(c if c.isalnum() or c in "-_" else "_" for c in path.stem)[:60]
            self._names[path] = f"meshes/{len(self._parts)}_{stem}{path.suffix.lower()}"
            self._parts[self._names[path]] = path
        return self._names[path]


def robot_parts(arm: OpenArm, parts: Parts, meshes: MeshParts) -> dict[str, Any]:
    """Add the files of an arm to `parts` and return its table. Raises ModelError for an arm that no file can hold."""
    robot, draft = arm
    source, model = robot.source, fingerprint(robot)
    unchanged = source is not None and not robot.changes and hash_on_disk(source) == robot.file_hash
    if draft is None and source is not None and unchanged and is_shipped(source):
        return {"included": source.stem, "model": model}
    path = draft.path if draft is not None else source if not robot.changes else None
    table: dict[str, Any] = {"path": "" if path is None else str(path.absolute()), "model": model}
    if draft is not None or (source is not None and unchanged and source.suffix.lower() == ".toml"):
        text = draft.text if draft is not None else source.read_text("utf-8-sig")  # type: ignore[union-attr]
        parts[TOML] = text.encode()
        table |= {"file": TOML, "disk_hash": draft.disk_hash if draft is not None else robot.file_hash}
        folder, known = Path() if path is None else path.parent, draft_from_text(text, path).table
        found = {name: real_path(folder / name) for _, name in mesh_names(known)}
        return table | {"meshes": {name: meshes.name(place) for name, place in found.items() if place.is_file()}}
    visuals, collisions = (tuple(_inside(one, meshes) for one in shapes) for shapes in (robot.visuals, robot.collisions))
    for place, written in urdf_files(replace(robot, visuals=visuals, collisions=collisions), INSIDE / URDF).texts.items():
        parts[place.name] = written.encode()
    return table | {"file": URDF}


def _inside(shape: Visual, meshes: MeshParts) -> Visual:
    return shape if shape.path is None else replace(shape, path=INSIDE / meshes.name(real_path(shape.path)), file="")


def arm_of(archive: SessionArchive, table: RobotTable, folder: Path) -> OpenArm:
    """Read the arm from the texts and meshes in `folder`, which has to remain. Raises EngineError."""
    path = local_file(table.path)
    if table.included:
        if table.included not in shipped_robots():
            raise SessionError(
                f"{archive.path}: session.toml: robot.included: {table.included!r} is not included in this version"
            )
        return OpenArm(load_robot(table.included))
    if table.file == TOML:
        text = archive.text(TOML)
        if path is not None and path.suffix.lower() == ".toml" and hash_on_disk(path) == table.disk_hash:
            if path.read_bytes() == text.encode():
                return OpenArm(load_robot(path))
            draft = replace(draft_from_text(text, path), disk_hash=table.disk_hash)
        else:
            draft = _moved(draft_from_text(text), table.meshes, folder)
        return OpenArm(draft.robot, draft)
    if path is not None and (robot := _same(path, table.model)) is not None:
        return OpenArm(robot)
    if table.file != URDF:
        raise SessionError(f"{archive.path}: session.toml: robot.file: must be {TOML} or {URDF}, got {table.file!r}")
    return OpenArm(load_robot(folder / URDF))


def _moved(draft: RobotDraft, names: Mapping[str, str], folder: Path) -> RobotDraft:
    """The draft with the meshes of the archive; no other file is read."""
    changes = []
    for where, name in mesh_names(draft.table):
        part = names.get(name, "")
        changes.append((where, (folder / (part if is_mesh(part) else Path(name).name)).as_posix()))
    return draft_from_text("".join(part.text for part in with_values(split(draft.text), changes)))


def _same(path: Path, model: str) -> Robot | None:
    """The robot of a file on this machine, if it is still the same."""
    try:
        robot = load_robot(path)
    except ModelError:
        return None
    return robot if fingerprint(robot) == model else None


def is_mesh(name: str) -> bool:
    """Return whether an entry of an archive is a mesh."""
    return name.startswith("meshes/") and name.lower().endswith(MESHES) and name.count("/") == 1


def local_file(path: str) -> Path | None:
    """The file at an absolute path on a drive of this machine, None for any other or a missing one."""
    place = Path(path)
    if not path or not path.isprintable() or path.startswith(("//", "\\\\")) or not place.is_absolute():
        return None
    try:
        return place if place.is_file() else None
    except OSError:
        return None
