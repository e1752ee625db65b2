"""The open robot's figures, examined in the background and told in the dock *Robot*."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout

from armature import engine
from armature.app.feature import Feature
from armature.app.robots.feature import RobotsFeature
from armature.app.robots.meshes.arm_meshes import FLUID, mesh_points
from armature.app.robots.robot_meshes import MeshesFeature
from armature.app.scene.gl import gl_format
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.number_marks import said
from armature.app.state.severity import Severity
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.style.icons import pixmap
from armature.app.widgets.controls import button, named
from armature.app.widgets.section import Section, note
from armature.engine import Finding
from armature.engine.errors import EngineError
from armature.engine.files import atomic_file
from armature.engine.model.draft.draft_files import is_shipped
from armature.engine.recording.recording_recovery import free_name

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot

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


UNDER_WAY, NOTHING = "Checking …", "The model check found no problems."
MOST = 30  # cards; more of them are counted


class FindingsSection(Section):
    """Tells `repair_wanted(findings)`."""

    repair_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__("Model check")
        self.setObjectName("examination")
        self.summary = self.add(named(note(UNDER_WAY), "examination_summary", "Findings of the model check"))
        tip = "Apply every repair that is unambiguous; other repairs have their own buttons below"
        self.all = self.add(button("examination_repair_all", "Apply safe fixes", tip=tip))
        self.all.hide()
        self.all.clicked.connect(lambda _: self.repair_wanted.emit(self._certain()))
        self.cards: list[FindingCard] = []
        self._tokens: Tokens = LIGHT

    def show_busy(self) -> None:
        """An examination is under way; what was found before stays until it is done."""
        if not self.cards:
            self.summary.setText(UNDER_WAY)

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Show these in place of the last ones."""
        for card in self.cards:
            self.content.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
        for k, finding in enumerate(findings[:MOST]):
            card = self.add(FindingCard(finding, k + 1))
            card.set_theme(self._tokens)
            card.repair_wanted.connect(lambda one: self.repair_wanted.emit([one]))
            self.cards.append(card)
        more = len(findings) - len(self.cards)
        self.summary.setText(
            counted(findings) + (f"; only the first {MOST} are shown." if more else ".") if findings else NOTHING
        )
        self.all.setVisible(len(self._certain()) > 1)

    def _certain(self) -> list[Finding]:
        return [card.finding for card in self.cards if card.finding.repair is not None and card.finding.repair.certain]

    def set_theme(self, tokens: Tokens) -> None:
        """Other colours."""
        self._tokens = tokens
        for card in self.cards:
            card.set_theme(tokens)


def counted(findings: Sequence[Finding]) -> str:
    """ "1 error, 2 warnings, 1 note"; empty for none."""
    words = {"error": ("error", "errors"), "doubtful": ("warning", "warnings"), "note": ("note", "notes")}
    counts = {grade: sum(finding.grade == grade for finding in findings) for grade in words}
    return ", ".join(f"{count} {words[grade][count > 1]}" for grade, count in counts.items() if count)


SUBJECT = "examination"
REST = 400  # ms after the last change of the robot


class ExaminationFeature(Feature):
    """Every robot that is opened or edited is examined; the latest wins. Of files that ship the remarks tell: no notice."""

    needs = (RobotsFeature, MeshesFeature)

    def __init__(self, bench: Workbench, robots: RobotsFeature, meshes: MeshesFeature):
        self._bench, self._robots, self._meshes = bench, robots, meshes
        self.section = FindingsSection()
        robots.panel.add_section(self.section)
        tip = "Show the findings of the model check for the open robot"
        self.notice = button("examination_notice", "", "Model check", tip, QToolButton)
        self.notice.setAutoRaise(True)
        self.notice.hide()
        self.runner = JobRunner("examination", bench.parent)
        self._timer = QTimer(bench.parent)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REST)
        self._told: Path | None = None

    def wire(self) -> None:
        """Follow the robot, and its meshes."""
        bench = self._bench
        bench.status_line.addPermanentWidget(self.notice)
        self.notice.clicked.connect(self.bring_up)
        self.section.repair_wanted.connect(self.repair)
        bench.document.draft_changed.connect(self._wait)
        self._timer.timeout.connect(self._examine)
        self.runner.finished.connect(self._on_found)
        self.runner.failed.connect(lambda why: bench.banner.show_message(Severity.ERROR, why, subject=SUBJECT))
        self._meshes.runner.busy_changed.connect(lambda busy: None if busy else self._wait())
        self._wait()

    @property
    def busy(self) -> bool:
        """Whether an examination is under way or about to begin."""
        return self.runner.busy or self._timer.isActive() or self._meshes.runner.busy

    def set_robot(self, robot: Robot) -> None:
        """Another robot, or other figures of this one."""
        if not robot.changes:
            self._wait()

    def shut_down(self) -> None:
        """End the examination."""
        self._timer.stop()
        self.runner.stop()

    def bring_up(self) -> None:
        """Show the findings."""
        self._robots.dock.bring_up()
        self.section.header.setChecked(True)
        self._robots.panel.show_part(self.section)

    def repair(self, findings: Sequence[Finding]) -> None:
        """Write the repairs into the robot's file: as one undo step, or of a URDF into a copy, which is opened."""
        from armature.engine.examination.repaired_files import repaired_draft  # what edits files: not before one is edited

        document = self._bench.document
        source, chosen = document.robot.source, [finding for finding in findings if finding.repair is not None]
        try:
            if source is not None and source.suffix.lower() == ".urdf" and document.draft is None:
                self._save_repaired(source, chosen)
            else:
                draft = repaired_draft(document.draft or engine.draft_of(document.robot), chosen)
                document.edit_draft(draft, chosen[0].rule if len(chosen) == 1 else "repairs")
        except (engine.EngineError, OSError) as error:
            self._bench.banner.show_message(Severity.ERROR, f"The repair could not be saved: {error}", subject=SUBJECT)

    def _save_repaired(self, source: Path, findings: Sequence[Finding]) -> None:
        """A URDF is never written over without a question: a copy beside it, where its meshes are found."""
        from armature.engine.examination.repaired_files import repaired_text  # what edits files: not before one is edited

        text = repaired_text(source.read_text(encoding="utf-8-sig"), source, findings)
        start = free_name(source.with_name(f"{source.stem}_repaired.urdf"))
        path, _ = QFileDialog.getSaveFileName(self._bench.parent, "Save repaired robot", str(start), "URDF (*.urdf)")
        if path:
            with atomic_file(Path(path), EngineError) as part:
                part.write_text(text, encoding="utf-8")
            self._bench.files.open_robot(path)

    def _wait(self) -> None:
        self.section.show_busy()
        self._timer.start()

    def _examine(self) -> None:
        robot, draft = self._bench.document.robot, self._bench.document.draft
        if robot.changes or self._meshes.runner.busy:
            return  # when the meshes are read, they are measured
        text = None
        if draft is not None:
            robot, text = draft.robot, draft.text  # of a URDF arm, the rows that were found for it
        most, cache = FLUID if gl_format.is_software() else None, self._meshes.cache

        def examined(job: Job) -> tuple[Robot, tuple[Finding, ...]]:
            return robot, engine.examine(robot, mesh_points(robot, most, cache, job.cancelled), text)

        self.runner.start(examined)

    def _on_found(self, found: tuple[Robot, tuple[Finding, ...]]) -> None:
        robot, findings = found
        self.section.show_findings(findings)
        grave = [finding for finding in findings if finding.grade != "note"]
        own = robot.source is None or not is_shipped(robot.source)
        self.notice.setText(counted(grave))
        self.notice.setVisible(bool(grave) and own)
        self._bench.banner.settle(SUBJECT)
        errors = [finding for finding in grave if finding.grade == "error"]
        if errors and own and self._told != robot.source:
            text = f"{robot.title}: {counted(grave)} in the robot model."
            self._bench.banner.show_message(Severity.WARNING, text, [str(finding) for finding in grave], SUBJECT)
        self._told = robot.source if errors else None
