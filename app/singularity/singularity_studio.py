"""The singularity dock: why this pose is singular, where the nearest singular pose is, which others there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from armature.app.singularity.singular_families import FamiliesSection
from armature.app.singularity.singular_pose import SingularPose
from armature.app.state.number_marks import said
from armature.app.state.units import MINUS, Units, measured, number
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section, note, page
from armature.app.widgets.steady import Steady
from armature.engine.thresholds import Level

if TYPE_CHECKING:
    from armature.engine import Robot

STILL_WORDS = "The joints move back and forth, the tool does not. Any other motion of the arm ends this motion."
LOOKING = "Searching…"
NOT_HERE = "At this pose there is no null-space motion. Go to the singular pose first."
BUTTONS = {
    "ghost": ("Show", "Show a ghost at the nearest singular pose, not only while the pointer is over this section"),
    "go": ("Go to pose", "Move the arm to the nearest singular pose (one undo step)"),
    "back": ("Back", "Return the arm to the pose it had before (one undo step)"),
}


class SingularityStudioPanel(QWidget):
    """Tells `play_requested(on)`, `ghost_requested(on)`, `go_requested()` and `back_requested()`."""

    play_requested = Signal(bool)
    ghost_requested = Signal(bool)
    go_requested = Signal()
    back_requested = Signal()

    _robot: Robot

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._nearest: tuple[np.ndarray, SingularPose] | None = None  # from where, where the arm can go there
        self._level: Level | None = None
        content = page(self, "Singularity")
        content.addWidget(self._here())
        content.addWidget(self._nearest_section())
        self.families = FamiliesSection(units)
        content.addWidget(self.families)
        content.addStretch(1)

    def _here(self) -> QWidget:
        section = Section("This pose")
        self._verdict = section.add(self._text("singularity_verdict"))
        self._verdict.setProperty("role", "title")
        self._numbers = section.add(named(note(), "singularity_numbers"))
        title, tip = "Play the null-space motion", "Move the joints back and forth so that the tool does not move"
        self.play = button("singularity_play", title, title, tip)
        self.play.setCheckable(True)
        self.play.setEnabled(False)
        self.play.clicked.connect(self.play_requested)
        section.add(row(self.play, None))
        self.cause, self._remark = self._text("singularity_cause"), named(note(), "singularity_remark")
        self._remark.hide()
        section.add(Steady(6, self.cause, self._remark))
        return section

    def _nearest_section(self) -> QWidget:
        section = Section("Nearest singular pose")
        self._distance = section.add(self._text("nearest_distance"))
        self._distance.setProperty("role", "section")
        self.buttons: dict[str, QPushButton] = {}
        for name, (title, tip) in BUTTONS.items():
            self.buttons[name] = button(f"nearest_{name}", title, f"{title}: nearest singular pose", tip)
            self.buttons[name].setEnabled(False)
        self.buttons["ghost"].setCheckable(True)
        self.buttons["ghost"].toggled.connect(self.ghost_requested)
        self.buttons["go"].setProperty("role", "primary")
        self.buttons["go"].clicked.connect(lambda _: self.go_requested.emit())
        self.buttons["back"].clicked.connect(lambda _: self.back_requested.emit())
        section.add(row(*self.buttons.values(), None))
        self._nearest_cause, self._way = self._text("nearest_cause"), named(note(), "nearest_way")
        section.add(Steady(6, self._nearest_cause, self._way))
        self._hovering = section.body
        section.body.installEventFilter(self)
        return section

    def _text(self, name: str) -> QLabel:
        label = named(QLabel(), name)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def eventFilter(self, watched, event):
        """The pointer over the nearest pose shows it."""
        crossing, ghost = event.type() in (QEvent.Type.Enter, QEvent.Type.Leave), self.buttons["ghost"]
        if watched is self._hovering and crossing and ghost.isEnabled() and not ghost.isChecked():
            self.ghost_requested.emit(event.type() == QEvent.Type.Enter)
        return super().eventFilter(watched, event)

    # -- what is shown ---------------------------------------------------------------------------------------------------------

    def set_robot(self, robot: Robot):
        """Another robot: nothing is known of it."""
        self._robot = robot
        self.show_remark("")
        self.families.set_robot(robot)
        self.show_nearest(None, None, LOOKING)

    def show_report(self, report, verdict: str, level: Level, playable: bool):
        """Why the pose is singular, or that it is not."""
        self._verdict.setText(verdict)
        words = said(report.explanation).removeprefix("Non-singular: ")
        self.cause.setText((words[:1].upper() + words[1:]).replace("-", MINUS))
        set_style_property(self._verdict, "level", str(level))
        self._show_nearest_cause()
        self._numbers.setText(f"σ min {measured(report.sigma_min)}, condition number {measured(report.condition)}")
        self.play.setEnabled(playable)
        if level != self._level and not self.play.isChecked():
            self.show_remark("")
        self._level = level

    def show_playing(self, on: bool):
        """Whether the internal motion plays."""
        self.play.setChecked(on)
        self.play.setText("Stop" if on else "Play the null-space motion")
        self.show_remark(STILL_WORDS if on else "")

    def show_remark(self, text: str):
        """A line below the play button."""
        self._remark.setText(text)
        self._remark.setVisible(bool(text))

    def show_nearest(self, q: np.ndarray | None, pose: SingularPose | None, why: str = ""):
        """The singular pose nearest to q `(n,)`, or why there is none to show."""
        self._nearest = None if q is None or pose is None or pose.is_here else (q, pose)
        reachable = self._nearest is not None
        for name in ("ghost", "go"):
            self.buttons[name].setEnabled(reachable)
        if not reachable:
            self.buttons["ghost"].setChecked(False)
        self._way.setVisible(reachable)
        self._distance.setText(why if pose is None else "Already at the nearest singular pose." if pose.is_here else "")
        if self._nearest is not None:
            self._tell(*self._nearest)
        self._show_nearest_cause()

    def _show_nearest_cause(self) -> None:
        """Show the cause of the nearest singular pose unless the section above already states it."""
        fact = self._nearest_cause.text().partition(": ")[2]
        self._nearest_cause.setVisible(self._nearest is not None and fact not in self.cause.text())

    def _tell(self, q: np.ndarray, pose: SingularPose):
        units, robot = self._units, self._robot
        self._distance.setText(f"{pose.title}, {units.text(pose.length or pose.distance, pose.length > 0)} away")
        self._nearest_cause.setText(pose.sentences.replace("-", MINUS))
        moved = []
        for name, change, slides in zip(robot.joint_names, pose.q - q, robot.prismatic, strict=True):
            shown = number(float(change) * units.factor(slides), max(0, units.decimals(slides) - 1))
            if shown.strip(f"{MINUS}0."):
                sign = "" if shown.startswith(MINUS) else "+"
                moved.append(f"{name} {sign}{shown}{units.suffix(slides)}")
        self._way.setText("From the current pose: " + ", ".join(moved) if moved else "")

    def set_back(self, possible: bool):
        """Whether there is a pose to go back to."""
        self.buttons["back"].setEnabled(possible)

    def set_units(self, units: Units):
        """Angles and lengths in other units."""
        self._units = units
        self.families.set_units(units)
        if self._nearest is not None:
            self._tell(*self._nearest)

    def set_theme(self, tokens):
        """Everything follows from the style sheet."""
