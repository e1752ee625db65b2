"""ROS packages and workspaces as folders: the path of a package, and the allowed targets of its links."""

from __future__ import annotations

import os
import re
from pathlib import Path

from armature.engine.model.file_bytes import real_path

# Usual folders of the URDF next to the folder of its meshes.
_DESCRIPTIONS = ("urdf", "robots", "robot", "xacro", "model", "models", "description")
PATH_VARIABLES = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "ARMATURE_PACKAGE_PATH")
_NAME = re.compile(rb"<name>\s*([\w.-]+)\s*</name>")
_LONGEST = 65_536  # bytes of a package.xml that are looked at
_MADE = ("install", "devel", "build")  # folders next to src/ in the workspaces of colcon and catkin
_LAYOUT = ".colcon_install_layout"  # a file that colcon puts into install/, whatever that is called


def package_folders(name: str, starts: list[Path]) -> list[Path]:
    """Folders of the package `name`: around and next to the folders `starts`, then those of the environment variables."""
    around = list(dict.fromkeys(folder for start in starts for folder in (start, *start.parents)))
    own = [folder for folder in around if folder.name == name or package_name(folder) == name]
    near = [start / name for start in starts] + [folder / name for folder in around if is_file(folder / name / "package.xml")]
    roots = [Path(part) for key in PATH_VARIABLES for part in os.environ.get(key, "").split(os.pathsep) if part]
    known = [folder for root in roots for folder in (root / name, root / "share" / name)]
    return [folder for folder in dict.fromkeys([*own, *near, *known]) if _is_folder(folder)]


def folders_around(folder: Path) -> list[Path]:
    """Folders that names without a package may lead into: the file's own, and the package or robot folder around it."""
    beside = [folder.parent] if folder.name.lower() in _DESCRIPTIONS else []
    package = [above for above in (folder, *folder.parents) if package_name(above) is not None][:1]
    return [folder, *beside, *package]


def package_name(folder: Path) -> str | None:
    """Name in the package.xml of a folder, "" if it has none; None without that file."""
    try:
        with (folder / "package.xml").open("rb") as stream:
            found = _NAME.search(stream.read(_LONGEST))
    except (OSError, ValueError):
        return None
    return found[1].decode() if found else ""


def belongs_to(place: Path, folder: Path) -> bool:
    """Whether `place`, a path without links, is part of what `folder` is, so that links in it may lead there.

    It is in that folder, in a folder of the same package, or in src/ or build/ of the workspace of colcon or catkin around it:
    `colcon build --symlink-install` fills install/ with links to these.
    """
    try:
        if place.is_relative_to(real_path(folder)) or any(place.is_relative_to(real_path(root)) for root in _workspace(folder)):
            return True
    except (OSError, ValueError):
        return False
    name = package_name(folder)
    return bool(name) and any(package_name(above) == name for above in place.parents)


def is_file(path: Path) -> bool:
    """Whether there is a file; False for a name no system takes."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _workspace(folder: Path) -> list[Path]:
    """src/ and build/ of the workspace around a folder, by its written path and by the one without links."""
    found: list[Path] = []
    for start in dict.fromkeys([folder.absolute(), real_path(folder)]):
        for above in (start, *start.parents):
            beside = above.parent
            made = is_file(above / _LAYOUT) or (above.name in ("src", *_MADE) and any(_is_folder(beside / m) for m in _MADE))
            if made and _is_folder(beside / "src"):
                found += [beside / "src", beside / "build"]
                break
    return found


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
