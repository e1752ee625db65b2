"""Where the mesh files of a URDF lie; only inside the robot's folder or a package, and nothing is opened."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote

from engine.errors import one_line
from engine.model.urdf_xml import Node

# Folders that by custom hold the URDF beside the folder of its meshes.
_DESCRIPTIONS = ("urdf", "robots", "robot", "xacro", "model", "models", "description")
_SCHEME = re.compile(r"^([A-Za-z][\w+.-]*):/")
_PACKAGE_NAME = re.compile(r"[\w.-]+")
PATH_VARIABLES = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "ARMATURE_PACKAGE_PATH")


class MeshFinder:
    """Resolves the file names of one URDF file; `missing` counts by the reason what could not be found.

    `package://name/…` is looked for in the folders above the file that are called `name`, or hold a package (a folder with
    package.xml) of that name, then in the folders of `PATH_VARIABLES`. Other names are relative to the file.
    """

    def __init__(self, source: Path):
        self._folder = source.resolve().parent
        self.missing: dict[str, int] = {}

    def find(self, node: Node, name: str) -> Path | None:
        """The file `name` means, or None if there is none. Raises UrdfError when it lies where a robot must not look."""
        written = one_line(name, 120)
        if not name.strip() or not name.isprintable() or len(name) > 1000:
            raise node.refused(f"filename must be a printable path of 1 to 1000 characters, got {written!r}")
        if name.startswith(("package://", "model://")):
            return self._in_package(node, name.split("://", 1)[1].lstrip("/"), written)
        scheme = _SCHEME.match(name)
        if scheme and scheme[1].lower() != "file":
            raise node.refused(f"filename {written!r}: only package://, file:// and relative paths are read")
        place = unquote(name[scheme.end() :].lstrip("/")) if scheme else name
        path = Path("/" + place) if scheme and os.name != "nt" else Path(place)
        path = path if path.is_absolute() else self._folder / path
        if not any(_inside(path, root) for root in self._roots()):
            raise node.refused(f"filename {written!r} leads out of the robot's folder and its package")
        return self._existing(path, "not found")

    def _in_package(self, node: Node, rest: str, written: str) -> Path | None:
        package, _, inner = rest.partition("/")
        if not _PACKAGE_NAME.fullmatch(package) or package.strip(".") == "":
            raise node.refused(f"filename {written!r} names no package")
        folders = self._packages(package)
        for folder in folders:
            if not _inside(folder / inner, folder):
                raise node.refused(f"filename {written!r} leads out of its package")
        found = [folder / inner for folder in folders if _is_file(folder / inner)]
        if not folders and ".." in Path(inner).parts:
            raise node.refused(f"filename {written!r} leads out of its package")
        if not found:
            return self._existing(None, "not found" if folders else f"in the package {package}, which was not found")
        return found[0].resolve()

    def _packages(self, name: str) -> list[Path]:
        above = [self._folder, *self._folder.parents]
        around = [folder for folder in above if folder.name == name]
        near = [self._folder / name] + [folder / name for folder in above if _is_file(folder / name / "package.xml")]
        return [folder for folder in dict.fromkeys([*around, *near, *_from_environment(name)]) if folder.is_dir()]

    def _roots(self) -> list[Path]:
        """Folders that names without a package may lead into: the file's own, and the package or robot folder around it."""
        beside = [self._folder.parent] if self._folder.name.lower() in _DESCRIPTIONS else []
        package = [folder for folder in (self._folder, *self._folder.parents) if _is_file(folder / "package.xml")][:1]
        return [self._folder, *beside, *package]

    def _existing(self, path: Path | None, why: str) -> Path | None:
        if path is not None and _is_file(path):
            return path.resolve()
        self.missing[why] = self.missing.get(why, 0) + 1
        return None


def _inside(path: Path, root: Path) -> bool:
    """Whether the path, links followed, lies below `root`."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):  # a loop of links, a name no system takes
        return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _from_environment(name: str) -> list[Path]:
    roots = [Path(part) for key in PATH_VARIABLES for part in os.environ.get(key, "").split(os.pathsep) if part]
    return [folder for root in roots for folder in (root / name, root / "share" / name) if folder.is_dir()]
