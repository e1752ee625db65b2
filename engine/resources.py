"""The files that ship with the package, in a checkout and in an installation."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path


def shipped(*parts: str) -> Path:
    """A folder or file of the package `armature`: `shipped("assets", "shaders")`."""
    return Path(str(files(f"armature.{parts[0]}").joinpath(*parts[1:])))


def shipped_or_path(path: str | os.PathLike[str], *folder: str) -> Path:
    """The `.toml` file in a folder that ships, for its bare name; anything else is the path that it is."""
    place = Path(path)
    named = shipped(*folder) / f"{place}.toml"
    return named if place.name == str(path) and not place.suffix and not place.exists() and named.is_file() else place
