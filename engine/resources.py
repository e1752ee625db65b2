"""The files that ship with the package, in a checkout and in an installation."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def shipped(folder: str, *parts: str) -> Path:
    """Return the path of a folder or file of the package `armature`: `shipped("assets", "shaders")`."""
    return (_PACKAGE / folder).resolve().joinpath(*parts)  # in a checkout the folder is a link


def shipped_or_path(path: str | os.PathLike[str], *folder: str, suffix: str = ".toml") -> Path:
    """The file in a folder that ships, for its bare name; anything else is the path that it is."""
    named = shipped(*folder) / f"{path}{suffix}"
    return named if _is_bare_name(path) and named.is_file() else Path(path)


def names_instead(path: str | os.PathLike[str], *folder: str, suffix: str = ".toml") -> str:
    """The names that a folder that ships has, "a, b, c", for a bare name that is neither one of them nor a file; else nothing."""
    names = sorted(file.stem for file in shipped(*folder).glob(f"*{suffix}"))
    return ", ".join(names) if _is_bare_name(path) and str(path) not in names else ""


def _is_bare_name(path: str | os.PathLike[str]) -> bool:
    place = Path(path)
    return place.name == str(path) and not place.suffix and not place.exists()
