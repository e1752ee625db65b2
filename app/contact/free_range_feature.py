"""Free ranges of the joints, next to their sliders."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from armature.app.feature import Feature
from armature.app.joints.feature import JointsFeature
from armature.app.joints.joint_row import FreeEnds
from armature.app.state.jobs import Job, JobRunner
from armature.app.widgets.on_screen import on_screen

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine.contact.contact_model import ContactModel


class FreeRangeFeature(Feature):
    """Computes the free ranges of the present pose while the panel of the joints is visible and no simulation runs."""

    needs = (JointsFeature,)

    def __init__(self, bench: Workbench, joints: JointsFeature):
        self._bench, self._panel = bench, joints.panel
        self.runner = JobRunner("free-ranges", bench.parent)
        self._computed: tuple[ContactModel | None, np.ndarray | None] = None, None  # of the last request

    def wire(self) -> None:
        """Connect clock and results."""
        self._bench.clock.reading.connect(self._on_reading)
        self.runner.finished.connect(self._on_finished)

    def shut_down(self) -> None:
        """End the computation."""
        self.runner.stop()

    def _on_finished(self, ranges: list[FreeEnds] | None) -> None:
        if self._computed[0] is self._bench.scene.stage.clearance.tested:  # else it is of another robot or cell
            self._panel.show_free_ranges(ranges)

    def _on_reading(self) -> None:
        """One computation at a time; the pose that the arm has then is next, so that a drag does not delay all of them."""
        model, q = self._bench.scene.stage.clearance.tested, self._bench.document.q
        if model is None or self._bench.simulation.running or model.robot.n != len(q):
            if self._computed[0] is not None:
                self._computed = None, None
                self.runner.cancel()
                self._panel.show_free_ranges(None)
        elif not self.runner.busy and on_screen(self._panel) and (model is not self._computed[0] or q is not self._computed[1]):
            self._computed = model, q
            self.runner.start(partial(_ranges, model, q))


def _ranges(model: ContactModel, q: np.ndarray, job: Job) -> list[FreeEnds]:
    from armature.engine.contact.free_ranges import ranges_of  # numba: not while a window opens

    found = ranges_of(model, q, job.cancelled)
    return list(zip(zip(found.low, found.low_pairs), zip(found.high, found.high_pairs)))
