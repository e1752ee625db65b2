"""Control laws in Python that are included as examples."""

from __future__ import annotations

from pathlib import Path

from armature.engine.files import shipped


def example_laws() -> dict[str, Path]:
    """Return the paths of the included laws that are not built in, by name."""
    return {path.stem: path for path in sorted(shipped("assets", "laws").glob("*.py"))}
