"""What the process that expands a xacro file may touch: files of the robot and of its packages, to read; nothing else.

It does not lean on expressions being harmless: Python reports every file, process and connection to the hook before it is made.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from armature.engine.model.real_path import real_path
from armature.engine.model.urdf.package_folders import belongs_to, folders_around, package_folders

_HARMLESS = {"compile", "exec", "builtins.id", "glob.glob", "glob.glob/2", "object.__getattr__", "sys._getframe"}
_LOOKS = {"open", "os.listdir", "os.scandir"}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
MEMORY = 2 * 1024**3  # bytes that an expansion may take, where the system can be told


class ForbiddenReading(Exception):
    """A file outside of the robot's folder and packages, or anything but reading."""


class Reading:
    """The folders that one robot may be read from, the packages it names among them."""

    def __init__(self, file: Path):
        self._starts = list(dict.fromkeys([real_path(file).parent, file.absolute().parent]))
        self._folders = [folder for start in self._starts for folder in folders_around(start)]
        self.seen: dict[str, None] = {}

    def package(self, name: str) -> str:
        """The folder of a package, for $(find NAME). Raises ForbiddenReading where there is none."""
        found = package_folders(name, self._starts) if name.strip(".") and not set(name) & set("/\\") else []
        if not found:
            raise ForbiddenReading(
                f"package {name!r} not found in the folders around the file, nor in ROS_PACKAGE_PATH, AMENT_PREFIX_PATH or "
                "ARMATURE_PACKAGE_PATH"
            )
        self._folders += [folder for folder in found if folder not in self._folders]
        return str(found[0])

    def close_the_rest(self) -> None:
        """From here on this process reads in these folders only, and does nothing else to the machine; for good."""
        _limit_memory()
        sys.addaudithook(self._hook)

    def _hook(self, event: str, details: tuple[Any, ...]) -> None:
        if event in _HARMLESS:
            return
        if event not in _LOOKS:
            raise ForbiddenReading(f"a robot file may not do this: {event}")
        place, mode, flags = (*details, None, None)[:3]
        if isinstance(place, int) or (event == "open" and (flags or 0) & _WRITES) or (mode and set(str(mode)) & set("wax+")):
            raise ForbiddenReading("a robot file may not write files")
        path = Path(os.fsdecode(place if place is not None else "."))
        if path.name == "package.xml" and event == "open":
            return
        if not self._may_read(path):
            raise ForbiddenReading(f"{str(path)!r} is outside the robot's folder and its packages and is not read")
        self.seen[str(path)] = None

    def _may_read(self, path: Path) -> bool:
        try:
            place = real_path(path)
        except (OSError, ValueError):
            return False
        return any(belongs_to(place, folder) for folder in self._folders)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows: there the time limit alone ends an expansion that grows without end
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
