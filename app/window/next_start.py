"""Kernels for this very processor, compiled beside the window for the next start: how far that is stands in the line below."""

from __future__ import annotations

from PySide6.QtCore import QObject

from armature.app.state.jobs import Job, JobRunner
from armature.app.state.shared_sentences import sentence
from armature.app.widgets.status_line import StatusLine
from armature.engine.files import kernel_root

TITLE = "Kernels for this processor"


class NextStart(QObject):
    """Where the kernels are those that came with the program, faster ones are made; this window goes on with those it has."""

    def __init__(self, line: StatusLine, homes: tuple[str, ...]):
        super().__init__(line)
        self._homes = homes
        self._line = line
        self.runner = JobRunner("native-kernels", self)
        self.runner.progressed.connect(self._show)
        self.runner.finished.connect(self._end)
        self.runner.failed.connect(self._give_up)

    def begin(self) -> None:
        """Make them, unless they are there or nothing came with the program."""
        self.runner.start(self._make)

    def _make(self, job: Job) -> bool:
        from armature.engine.native_kernels import make_native, waits_for_native  # imports numba: not before the window

        return waits_for_native() and make_native(job.progress, job.cancelled, self._homes)

    def _show(self, done: int, total: int) -> None:
        self._line.show_note(
            f"Compiling for a faster next start {done}/{total}",
            f"Optimized code for this processor, up to a third faster, is compiled at low priority for the next start. "
            "If the window is closed before it is complete, the next session continues. "
            f"Cache: {kernel_root()}.",
        )

    def _end(self, made: bool) -> None:
        if made:
            self._line.show_note("The next start will be faster", "The compiled code is ready for the next start.")
        else:
            self._line.show_note("")

    def _give_up(self, why: str) -> None:
        explanation = f"{sentence(why)} The kernels delivered with the program are used instead."
        self._line.show_note("Kernel cache not writable", explanation)
