"""Laws as files that ship: a template of each that is built in, and examples that are not."""

from __future__ import annotations

from pathlib import Path

from armature.engine.control.controllers import NAMES
from armature.engine.errors import EngineError
from armature.engine.resources import shipped


def law_template(law: str) -> Path:
    """The built-in law of that name as a file of one's own. Raises EngineError."""
    if law not in NAMES.values():
        raise EngineError(f"unknown controller {law!r}; valid: {', '.join(NAMES.values())}")
    return shipped("assets", "laws", "templates", f"{law.replace('-', '_')}.py")


def example_laws() -> dict[str, Path]:
    """Laws that are not built in, by name."""
    return {path.stem: path for path in sorted(shipped("assets", "laws").glob("*.py"))}
