"""What is installed here and where it keeps its things: for Help ▸ About, `armature info --paths`, and a report of a fault."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import armature
from armature.engine.files import kernel_root, user_cache
from armature.engine.version import VERSION

PACKAGES = (
    "numpy",
    "numba",
    "llvmlite",
    "scipy",
    "PySide6-Essentials",
    "pyqtgraph",
    "PyOpenGL",
    "pydantic",
    "lxml",
    "xacro",
    "ruckig",
    "sympy",
    "ziamath",
    "mcap",
    "msgspec",
    "clarabel",
    "tomlkit",
    "threadpoolctl",
    "platformdirs",
    "pycollada",
    "fast-simplification",
)
Fact = tuple[str, str]


def facts() -> list[Fact]:
    """(what, value) in the order in which they are read: program, folders, machine, packages."""
    return [
        ("Armature", VERSION),
        ("program", str(Path(armature.__file__).parent)),
        ("settings", settings_file()),
        ("cache", str(user_cache())),
        ("compiled kernels", _kernels()),
        ("kernels for", _target()),
        ("Python", f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}"),
        ("system", platform.platform()),
        ("processor", f"{_processor()}, {os.cpu_count()} cores"),
        *((name, _version(name)) for name in PACKAGES),
    ]


def as_text(told: list[Fact]) -> str:
    """Aligned lines."""
    width = max(len(name) for name, _ in told)
    return "\n".join(f"{name.ljust(width)}  {value}" for name, value in told)


def settings_file() -> str:
    """Where Qt keeps the settings, said without Qt."""
    if sys.platform == "win32":
        return r"HKEY_CURRENT_USER\Software\Armature\Armature"
    if sys.platform == "darwin":
        return str(Path.home() / "Library/Preferences/com.armature.Armature.plist")
    return str(Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "Armature/Armature.conf")


def _kernels() -> str:
    from armature.engine.kernel_target import SHIPPED  # imports numba, for which the window does not wait

    places = [f"{folder}/kernels, {sum(sizes) / 1e6:.0f} MB" for folder in (SHIPPED, kernel_root()) if (sizes := _sizes(folder))]
    return "; ".join(places) or "none yet"


def _sizes(folder: Path) -> list[int]:
    return [_size(file) for file in folder.glob("kernels/*.kernel")]


def _target() -> str:
    from armature.engine.kernel_target import take_target, target_name

    take_target()
    return target_name()


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # removed meanwhile
        return 0


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        named = []
    return named[0] if named else platform.processor() or platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
