"""What killed runs left in the folder of recordings: found in the background at the start, offered, never touched unasked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.state.engine_startup import KernelStage
from armature.app.state.evented import on
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.severity import Severity
from armature.app.widgets.actions import Command, block
from armature.engine import Cancelled, EngineError
from armature.engine.recording.recording_recovery import Recoverable, discard, find_recoverable, recover

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class RecoveryFeature(Feature):
    """Looks once the program is ready, and on demand."""

    commands = (
        *block(
            "File",
            2.1,
            Command(
                "recover",
                "Recover recordings…",
                tip="Find recordings of sessions that ended unexpectedly",
            ),
        ),
    )

    def __init__(self, bench: Workbench):
        self._bench, self._requested = bench, False
        self._found: list[Recoverable] = []
        self._search, self._work = JobRunner("find-recoverable", bench.parent), JobRunner("recover", bench.parent)

    def wire(self) -> None:
        """Wire the search, the offer and the command."""
        bench = self._bench
        bench.startup.when(KernelStage.ALL, self._look)
        bench.actions.on("recover", self._look_again)
        bench.views.bind(self._show_progress, on(self._work.status, "progress"))

    def shut_down(self) -> None:
        """Stop; what is half recovered is still there at the next start."""
        self._search.stop()
        self._work.stop()

    def _look(self):
        folder = self._bench.files.recording_folder()
        self._search.start(lambda _: find_recoverable(folder), self._on_found)

    def _look_again(self):
        self._requested = True
        self._look()

    def _on_found(self, found: list[Recoverable]):
        self._found = found
        banner = self._bench.banner
        if found:
            what = found[0].path.name if len(found) == 1 else f"{len(found)} recordings"
            text = f"A session ended unexpectedly and left {what}, last changed {found[0].changed:%Y-%m-%d %H:%M}."
            offers = {"Recover": self._recover, "Delete": self._delete, "Later": lambda: None}
            banner.show_offer(text, offers)
        elif self._requested:
            folder = self._bench.files.recording_folder()
            banner.show_message(Severity.INFO, f"There is nothing to recover in {folder}.")
        self._requested = False

    def _recover(self):
        self._start(partial(_recovered, self._found))

    def _delete(self):
        self._start(partial(_deleted, self._found))

    def _start(self, work: Callable[[Job], str]) -> None:
        show = partial(self._bench.banner.show_message, subject="recover")
        self._work.start(work, partial(show, Severity.INFO), partial(show, Severity.ERROR))

    def _show_progress(self) -> None:
        done, total = self._work.status.progress
        if total:
            self._bench.banner.show_progress("Recovering recordings…", done, total)


def _recovered(found: list[Recoverable], job: Job) -> str:
    written = []
    for k, one in enumerate(found):
        job.progress(k, len(found))
        try:
            written.append(recover(one.path, cancelled=job.cancelled))
        except Cancelled:  # the window is being closed
            break
        except EngineError as error:
            done = f" Recovered before: {', '.join(path.name for path in written)}." if written else ""
            raise EngineError(f"{error}.{done}") from None
    return f"Recovered {', '.join(path.name for path in written)} in {found[0].path.parent}"


def _deleted(found: list[Recoverable], _job: Job) -> str:
    for one in found:
        discard(one.path)
    return (
        "Deleted the files left over from the session."
        if len(found) == 1
        else f"Deleted the files left over from {len(found)} sessions."
    )
