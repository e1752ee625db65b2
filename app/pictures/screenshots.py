"""Screenshots of the window's view: to a file or the clipboard, as its dialog says; written off the GUI's thread."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QFileDialog

from armature.app.feature import Feature
from armature.app.pictures.pose_text import values
from armature.app.pictures.screenshot_dialog import ScreenshotDialog
from armature.app.scene.gl.offscreen_picture import RenderError
from armature.app.scene.labels.picture_caption import caption, caption_box
from armature.app.scene.picture_file import save_picture
from armature.app.state.files import stamp, user_folder
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.app.widgets.actions import Command, block
from armature.engine import EngineError
from armature.engine.recording.recording_recovery import free_name

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class ScreenshotsFeature(Feature):
    """Three commands: save at once, copy at once, and the dialog."""

    commands = (
        *block(
            "File",
            2.2,
            Command("screenshot", "Screenshot", "camera", ("Ctrl+P",), "Save the 3D view as a picture", bar=12.0),
            Command("screenshot_copy", "Copy screenshot", "", ("Ctrl+Shift+C",), "Copy the 3D view to the clipboard"),
            Command(
                "screenshot_options", "Screenshot size and options…", "", ("Ctrl+Alt+P",), "Size, transparent background, caption"
            ),
        ),
    )

    def __init__(self, bench: Workbench):
        self._bench = bench
        self._dialog: ScreenshotDialog | None = None
        self._runner = JobRunner("screenshot", bench.parent)
        self._runner.finished.connect(lambda path: self._tell(Severity.INFO, f"Saved {path}"))
        self._runner.failed.connect(lambda text: self._tell(Severity.ERROR, f"No screenshot: {text}"))

    def wire(self) -> None:
        """Wire the commands."""
        on = self._bench.actions.on
        on("screenshot", self._save_at_once)
        on("screenshot_copy", self._copy)
        on("screenshot_options", self._open_dialog)

    def shut_down(self) -> None:
        """Let a file that is being written be finished."""
        self._runner.stop()

    @property
    def busy(self) -> bool:
        """Whether a file is being written."""
        return self._runner.busy

    def picture(self) -> QImage | None:
        """The view as the dialog says; None, with a message, where it cannot be drawn."""
        bench, options = self._bench, self._bench.preferences.now.screenshot
        width, height = options.size(self._view_size())
        labels = bench.scene.stage.labels
        QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            labels.reserved = [caption_box(width, height)] if options.caption else []
            image = bench.scene.render_image(width, height, options.transparent)
        except RenderError as error:
            self._tell(Severity.ERROR, f"No screenshot: {error}")
            return None
        finally:
            labels.reserved = []
            QGuiApplication.restoreOverrideCursor()
        if options.caption:
            robot, q = bench.document.robot, bench.document.q
            caption(image, robot.name, f"q = {values(robot, q)}", bench.scene.theme.text)
        return image

    def save_to(self, path: Path) -> None:
        """Draw the picture now and write it in a thread."""
        image = self.picture()
        if image is not None:
            self._runner.start(lambda _: written(image, path))

    def _save_at_once(self):
        folder = self._folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._tell(Severity.ERROR, f"No screenshot: {folder}: {error.strerror}")
            return
        self.save_to(free_name(folder / f"{self._bench.document.robot.name} {stamp()}.png"))

    def _save_as(self):
        folder = self._folder()
        start = (folder if folder.is_dir() else folder.parent) / f"{self._bench.document.robot.name}.png"
        path, _ = QFileDialog.getSaveFileName(self._dialog, "Save screenshot", str(start), "Picture (*.png)")
        if path:
            self.save_to(Path(path) if Path(path).suffix else Path(f"{path}.png"))

    def _copy(self):
        image = self.picture()
        if image is not None:
            QApplication.clipboard().setImage(image)
            self._tell(Severity.INFO, f"The picture, {image.width()} × {image.height()} pixels, is on the clipboard.")

    def _open_dialog(self):
        if self._dialog is None:
            bench = self._bench
            self._dialog = ScreenshotDialog(bench.preferences.now.screenshot, self._view_size, bench.parent)
            self._dialog.changed.connect(lambda options: bench.preferences.set(screenshot=options))
            self._dialog.copy_wanted.connect(self._copy)
            self._dialog.save_wanted.connect(self._save_as)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def _view_size(self) -> tuple[int, int]:
        scene = self._bench.scene
        return max(16, scene.deviceWidth()), max(16, scene.deviceHeight())

    def _folder(self) -> Path:
        return user_folder(self._bench.preferences.now.screenshot_folder, QStandardPaths.StandardLocation.PicturesLocation)

    def _tell(self, severity: Severity, text: str):
        self._bench.files.message_about.emit("screenshot", severity, text)


def written(image: QImage, path: Path) -> Path:
    """Write a picture beside its place, then put it there: what stood there before is replaced only by a whole one."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise EngineError(f"{path}: the folder does not exist: {folder}")
    if path.is_dir():
        raise EngineError(f"{path}: this is a folder, not a file")
    save_picture(image, path)
    return path
