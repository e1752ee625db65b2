"""`Startup`: loads the engine's kernels beside the window, and says which are loaded."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial

from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.state.jobs import Job, JobRunner
from armature.engine.kernel_wait import end_wait

LATEST = 2.0  # s, longest wait for the first picture, which importing numba at the same time would delay


class KernelStage(StrEnum):
    """Kernels in the order in which a start needs them: of inverse kinematics, and then all."""

    HAND = "hand"
    ALL = "all"


class Startup(QObject):
    """Emits `arrived(stage)` once per stage, `progressed(text, done, total)` while kernels are compiled and loaded, and
    `troubled(text)` where compiled code cannot be cached or something failed.

    Until `ALL` has arrived, poses and Jacobians come from NumPy, and jobs that need a kernel wait for it.
    """

    arrived = Signal(object)
    progressed = Signal(str, int, int)
    troubled = Signal(str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._arrived: set[KernelStage] = set()
        self._slots: dict[KernelStage, list[Callable[[], object]]] = defaultdict(list)
        self._progress = ""  # "13 of 39" while kernels are compiled or loaded
        self.progressed.connect(self._on_progressed)
        self._runner = JobRunner("kernels", self)
        self._runner.finished.connect(self._end)
        self._runner.failed.connect(self._end)
        self.arrived.connect(self._on_arrived)

    def has(self, stage: KernelStage) -> bool:
        """True if the kernels of this stage are loaded."""
        return stage in self._arrived

    def when(self, stage: KernelStage, slot: Callable[[], object]) -> None:
        """Call `slot` as soon as the kernels of this stage are loaded, or now if they are."""
        if self.has(stage):
            slot()
        else:
            self._slots[stage].append(slot)

    def show_wait(self, is_waiting: Callable[[], bool], show: Callable[[str], object], usual: str) -> None:
        """Call `show` with the progress of the kernels while `is_waiting()`, and with the `usual` text once all are loaded."""

        def update() -> None:
            if is_waiting():
                show(usual if self.has(KernelStage.ALL) else f"Waiting for kernels, {self._progress}")

        self.progressed.connect(update)
        self.when(KernelStage.ALL, update)
        if self._progress:
            update()

    def begin(self, modules: Sequence[str], seen: threading.Event) -> None:
        """Load all kernels, those of the program's `modules` too, once the first picture is `seen`."""
        self._runner.start(partial(self._load, modules, seen))

    def finish(self) -> None:
        """Let everything be used now: kernels that are not loaded yet are loaded or compiled when they are first called."""
        self._runner.cancel()
        end_wait()
        for stage in KernelStage:
            self.arrived.emit(stage)

    def stop(self) -> None:
        """Compile and load nothing more; jobs that wait for a kernel end."""
        if self._runner.busy:
            end_wait(cancelled=True)
        self._runner.stop(1.0)

    def _load(self, modules: Sequence[str], seen: threading.Event, job: Job) -> str:
        """The reason why compiled code cannot be cached, or nothing; in the thread of `job`."""
        seen.wait(LATEST)
        from armature.engine.kernel_cache import KernelCache
        from armature.engine.kernels import INVERSE_KINEMATICS, are_kept

        kept = are_kept(modules)

        def show(done: int, total: int, name: str) -> None:
            subject = name.split(".")[-2].replace("_", " ") if name else "done"
            text = "Loading kernels" if kept else f"Compiling kernels (first start only), {done} of {total}: {subject}"
            self._emit(job, self.progressed, text, done, total)

        engine.warm_up(
            show,
            lambda stage: self._emit(job, self.arrived, KernelStage(stage)),
            job.cancelled,
            modules,
            {KernelStage.HAND: INVERSE_KINEMATICS},
        )
        return KernelCache.trouble

    @staticmethod
    def _emit(job: Job, signal, *values) -> None:
        if not job.cancelled():  # else this may be deleted
            signal.emit(*values)

    def _on_progressed(self, _text: str, done: int, total: int) -> None:
        self._progress = f"{done} of {total}"

    def _end(self, trouble: str) -> None:
        self.finish()
        if trouble:
            self.troubled.emit(trouble)

    def _on_arrived(self, stage: KernelStage) -> None:
        if stage not in self._arrived:
            self._arrived.add(stage)
            for slot in self._slots.pop(stage, ()):
                slot()
