"""The Python code in a recording, which Verify runs only where it is that of the open law, or once a person has read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from armature.app.widgets.dialogs.code_dialog import CodeDialog
from armature.engine.errors import one_line

QUESTION = (
    "Simulating this recording again runs the Python code that it contains: {names}. Code has all of your permissions:"
    " read it first, and run it only if you trust it."
)


def code_inside(metadata: Any) -> dict[str, str]:
    """Every text of a law or a disturbance that simulating again would run, with its name; whatever else the metadata hold."""
    told = metadata if isinstance(metadata, Mapping) else {}
    events = told.get("events")
    kept = events if isinstance(events, (list, tuple)) else ()
    places = [told, *(event for event in kept if isinstance(event, Mapping))]
    found = [place.get(kind) for place in places for kind in ("controller", "disturbance")]
    code = [one for one in found if isinstance(one, Mapping) and isinstance(one.get("text"), str) and one["text"]]
    return {one["text"]: one_line(str(one.get("name", "law")), 60) for one in code}


class RecordedCodeDialog(CodeDialog):
    """Shows `code`, names by text; accepted once a person has it run."""

    def __init__(self, code: Mapping[str, str], parent: QWidget | None = None):
        words = QUESTION.format(names=", ".join(dict.fromkeys(code.values())))
        text = (_joined(code), "The recording contains code")
        super().__init__("recorded_code", "Verify", words, text, QDialogButtonBox.StandardButton.Cancel, parent)
        self.add_button("Run and verify", "recorded_code_run").clicked.connect(self.accept)


def _joined(code: Mapping[str, str]) -> str:
    """All texts, one below the other, each under its name where there are more."""
    if len(code) == 1:
        return next(iter(code))
    return "\n\n".join(f"#### {k} of {len(code)}: {name}\n{text}" for k, (text, name) in enumerate(code.items(), 1))
