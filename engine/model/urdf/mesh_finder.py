"""Paths of the mesh files of a URDF: only in the robot's folder, a package or its workspace; nothing is opened."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

from armature.engine.errors import one_line
from armature.engine.model.file_bytes import real_path
from armature.engine.model.urdf.package_folders import belongs_to, folders_around, is_file, package_folders
from armature.engine.model.urdf.urdf_xml import Node

_SCHEME = re.compile(r"^([A-Za-z][\w+.-]*):/")
_PACKAGE_NAME = re.compile(r"[\w.-]+")
_NAMED = 3  # files outside that the remark names
_SHOWN = 120  # characters of a name


class MeshFinder:
    """Resolves the file names of one URDF file.

    `missing` collects missing files by reason; `outside` the names of files outside the allowed folders. `package://name/…` is
    searched in the folders above the file that have this name or the package.xml of that package, in packages next to them, then
    in the folders of `PATH_VARIABLES`. Other names are relative to the file.
    """

    def __init__(self, source: Path):
        # A linked file has two folders: it may be linked alone, or together with its surroundings.
        self._folders = list(dict.fromkeys([real_path(source).parent, source.absolute().parent]))
        self._roots = [folders_around(folder) for folder in self._folders]
        self._packages: dict[str, list[Path]] = {}
        self.missing: dict[str, list[str]] = {}
        self.outside: dict[str, None] = {}

    def find(self, node: Node, name: str) -> Path | None:
        """Path of the file `name`, or None if it is missing or not allowed. Raises UrdfError."""
        if not name.strip() or not name.isprintable() or len(name) > 1000:
            raise node.error(f"filename must be a printable path of 1 to 1000 characters, got {one_line(name, _SHOWN)!r}")
        if name.startswith(("package://", "model://")):
            return self._in_package(name, name.split("://", 1)[1].lstrip("/"))
        scheme = _SCHEME.match(name)
        if scheme and scheme[1].lower() != "file":
            self.outside[name] = None
            return None
        place = unquote(name[scheme.end() :].lstrip("/")) if scheme else name
        path = Path("/" + place) if scheme and os.name != "nt" else Path(place)
        return self._first(name, zip((folder / path for folder in self._folders), self._roots, strict=True), "not found")

    def remarks(self) -> list[str]:
        """Messages about missing and disallowed files."""
        messages = []
        for why, missing in self.missing.items():
            count = len(missing)
            messages.append(f"{count} mesh file{'s' * (count > 1)} {why} ({_listed(missing)}); {_boxes(count)} instead.")
        if count := len(self.outside):
            names = _listed([*self.outside])
            who = f"Mesh file {names} is" if count == 1 else f"{count} mesh files are"
            which = "" if count == 1 else f" ({names})"
            where = "outside the robot's folder, its ROS package and its ROS workspace"
            read = f"{'is' if count == 1 else 'are'} not read{which}"
            messages.append(f"{who} {where} and {read}; {_boxes(count)} instead.")
        return messages

    def _in_package(self, name: str, rest: str) -> Path | None:
        package, _, inner = rest.partition("/")
        named = _PACKAGE_NAME.fullmatch(package) and package.strip(".")
        if named and package not in self._packages:
            self._packages[package] = package_folders(package, self._folders)
        folders = self._packages[package] if named else []
        if not named or (not folders and ".." in Path(inner).parts):
            self.outside[name] = None
            return None
        why = "not found" if folders else f"in the package {package}, which was not found"
        return self._first(name, [(folder / inner, [folder]) for folder in folders], why)

    def _first(self, name: str, places: Iterable[tuple[Path, list[Path]]], why: str) -> Path | None:
        """The first file there is among paths that each belong to one of some folders."""
        out = False
        for path, roots in places:
            try:
                place = real_path(path)
            except (OSError, ValueError):  # links in a circle, a name no system takes
                continue
            if not any(belongs_to(place, root) for root in roots):
                out = True
            elif is_file(place):
                return place
        if out:
            self.outside[name] = None
        else:
            self.missing.setdefault(why, []).append(name)
        return None


def _listed(files: list[str]) -> str:
    """The first few of them."""
    names = dict.fromkeys(repr(one_line(name, _SHOWN)) for name in files)
    return f"{', '.join([*names][:_NAMED])}{', …' * (len(names) > _NAMED)}"


def _boxes(count: int) -> str:
    return f"the view shows {'boxes' if count > 1 else 'a box'}"
