"""File ▸ Export ▸ Derivation: the sheet of the arm on screen, written beside the window's work."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QStandardPaths
from PySide6.QtGui import QFont, QImage
from PySide6.QtWidgets import QApplication, QFileDialog

from armature.app.equations.recursion_motion import RecursionMotion
from armature.app.feature import Feature
from armature.app.scene.gl.offscreen_picture import RenderError
from armature.app.scene.picture_file import png_of
from armature.app.state.files import user_folder
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.severity import Severity
from armature.app.state.slices import REST, Slices, Steps
from armature.app.widgets.actions import Command, block

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot

SIZE = (960, 800)  # pixels of the picture
KINDS = {"PDF, A4 (*.pdf)": ".pdf", "Web page (*.html)": ".html"}


class GivenUp(Exception):
    """The sheet is no longer wanted."""


class DerivationFeature(Feature):
    """Asks for a file, and writes it in a thread; the banner tells how far it is."""

    commands = block(
        "File/Export",
        1.0,
        Command("derivation", "Derivation…", "", (), "Export all equations of this arm at this pose as PDF or web page"),
    )

    def __init__(self, bench: Workbench):
        self._bench = bench
        self._drawing, self._runner = Slices(bench.parent), JobRunner("derivation", bench.parent)

    def wire(self) -> None:
        """Wire the command and its thread."""
        self._motion = RecursionMotion(self._bench)
        self._bench.actions.on("derivation", self._ask)
        runner = self._runner
        runner.progressed.connect(self._on_progress)
        runner.busy_changed.connect(self._on_busy)
        runner.finished.connect(lambda path: self._tell(Severity.INFO, f"Saved {path}"))
        runner.failed.connect(lambda why: self._tell(Severity.ERROR, f"The derivation was not saved: {why}"))

    def shut_down(self) -> None:
        """Give up what is being written."""
        self._drawing.stop()
        self._runner.stop()
        self._motion.stop()

    def _ask(self) -> None:
        bench = self._bench
        folder = user_folder(bench.preferences.now.screenshot_folder, QStandardPaths.StandardLocation.DocumentsLocation)
        start = (folder if folder.is_dir() else Path.home()) / f"{bench.document.robot.name} derivation.pdf"
        path, kind = QFileDialog.getSaveFileName(bench.parent, "Export the derivation", str(start), ";;".join(KINDS))
        if path:
            self.save(Path(path) if Path(path).suffix.lower() in KINDS.values() else Path(path + KINDS.get(kind, ".pdf")))

    def save(self, path: Path) -> None:
        """Write the sheet of the arm on screen in its present motion."""
        bench = self._bench
        robot, q = bench.document.robot, np.array(bench.document.q)
        motion = q, np.zeros(robot.n), np.zeros(robot.n)
        if robot.has_dynamics:
            walked = self._motion.now()
            if isinstance(walked, str):
                self._tell(Severity.WARNING, f"The derivation was not saved: {walked}")
                return
            robot, motion = walked.robot, (np.array(walked.q), np.array(walked.qd), np.array(walked.qdd))
        self._drawing.start(self._steps(partial(_save, robot, motion, path, QFont(QApplication.font()))))

    def _steps(self, save: Callable[[QImage, Job], Path | None]) -> Steps:
        try:
            draw = self._bench.scene.begin_image(*SIZE)
            yield REST
            image = draw()
        except RenderError as error:
            self._tell(Severity.ERROR, f"The derivation was not saved: {error}")
            return
        yield REST
        self._runner.start(partial(save, image))

    def _on_progress(self, done: int, total: int) -> None:
        self._bench.banner.show_progress("Writing the derivation…", done, total, self._runner.cancel)

    def _on_busy(self, busy: bool) -> None:
        banner = self._bench.banner
        if not busy and banner.progress.isVisibleTo(banner):
            banner.dismiss()

    def _tell(self, severity: Severity, text: str) -> None:
        self._bench.files.message_about.emit("derivation", severity, text)


def _save(robot: Robot, motion: tuple, path: Path, font: QFont, image: QImage, job: Job) -> Path | None:
    def proceed(share: float) -> None:
        if job.cancelled():
            raise GivenUp
        job.progress(round(1000 * share), 1000)

    from armature.app.equations.sheet.sheet_file import save_derivation  # numba: not before the window is on screen

    try:
        return save_derivation(robot, motion, png_of(image), path, font, proceed=proceed)
    except GivenUp:
        return None
