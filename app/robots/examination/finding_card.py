"""`FindingCard`: one finding with its place, figure and cause, and a button for its repair."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout

from armature.app.state.number_marks import said
from armature.app.state.severity import Severity
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.style.icons import pixmap
from armature.app.widgets.controls import button
from armature.engine import Finding

SEVERITIES = {"error": Severity.ERROR, "doubtful": Severity.WARNING, "note": Severity.INFO}
GRADES = {"error": "Error", "doubtful": "Warning", "note": "Note"}
ICON = 18


class FindingCard(QFrame):
    """Tells `repair_wanted(finding)`; all of it can be selected and copied."""

    repair_wanted = Signal(object)

    def __init__(self, finding: Finding, number: int):
        super().__init__()
        self.finding = finding
        self.setObjectName(f"finding_{number}")
        self.setProperty("role", "finding")
        grade = GRADES[finding.grade]
        self.setAccessibleName(f"{grade}: {finding.rule}, {finding.where}")
        self._icon = QLabel()
        self._icon.setAccessibleName(grade)
        self._icon.setToolTip(grade)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignTop)
        lines = QVBoxLayout()
        lines.setSpacing(2)
        lines.addWidget(_text(f"{grade}: {finding.rule}", "section"))
        lines.addWidget(_text(str(finding.where), "muted"))
        lines.addWidget(_text(said(f"{finding.figure}.")))
        lines.addWidget(_text(said(f"{finding.cause}.")))
        if finding.repair is not None:
            lines.addWidget(_text(said(f"{finding.repair}.")))
            self.repair = button(f"finding_{number}_repair", "Repair", f"Repair {finding.rule}", "Apply this repair")
            self.repair.clicked.connect(lambda _: self.repair_wanted.emit(finding))
            lines.addWidget(self.repair, 0, Qt.AlignmentFlag.AlignLeft)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 2, 0, 6)
        line.setSpacing(8)
        line.addWidget(self._icon)
        line.addLayout(lines, 1)
        self.set_theme(LIGHT)

    def set_theme(self, tokens: Tokens) -> None:
        """The colour of the grade."""
        severity = SEVERITIES[self.finding.grade]
        colour = {Severity.ERROR: tokens.danger, Severity.WARNING: tokens.warn, Severity.INFO: tokens.accent}[severity]
        self._icon.setPixmap(pixmap(severity.value, colour, ICON))


def _text(text: str, role: str = "") -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if role:
        label.setProperty("role", role)
    return label
