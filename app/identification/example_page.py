"""The page of the guided example: five steps, each a button with its description and result, and the errors of the last one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QWidget

from armature.app.identification.identification_model import STEPS, IdentificationModel
from armature.app.identification.identification_texts import STEP_TEXTS, step_result, step_text
from armature.app.plots.curves import Curves
from armature.app.plots.titled_plot import time_plot
from armature.app.state.evented import Binder, on
from armature.app.state.jobs import JobStatus
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import Act, button, column, fill, named, row
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note, scrolled

JOINTS = {"mrad": "revolute", "mm": "prismatic"}
NAMES = {"file": "file's model", "identified": "identified", "true": "true"}
COLOURS = "1", "0", "muted"


class ExamplePage(QWidget):
    """Steps at the left, progress and tracking errors at the right."""

    def __init__(self, model: IdentificationModel, acts: Mapping[str, Act]):
        super().__init__()
        self._model, self._last = model, ""
        self.buttons, self.texts, grid = {}, {}, QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for k, step in enumerate(STEPS):
            title, words = STEP_TEXTS[step][0], step_text(step)
            self.buttons[step] = button(f"example_{step}", title, f"{title}: {words}", act=acts[f"step_{step}"])
            self.texts[step] = named(note(words), f"example_{step}_words")
            grid.addWidget(self.buttons[step], k, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self.texts[step], k, 1)
        steps = QWidget()
        steps.setLayout(grid)
        self.area = scrolled(column(steps, None, margins=(12, 6, 6, 8)), "Simulate, disturb, identify, compare")
        bar = self.area.verticalScrollBar()
        bar.rangeChanged.connect(lambda *_: self._bring_up())  # once the text of a step has its height
        title = "Cancel this step"
        self.cancel = button("example_cancel", "Cancel", title, "Stop the computation", act=acts["cancel_example"])
        self.progress = ProgressBar("example_progress", "Progress of this step")
        self._working = row(self.progress, self.cancel, stretch=self.progress)
        self._plots = [time_plot(name, "Tracking error") for name in ("identify_errors", "identify_errors_prismatic")]
        self.plot = self._plots[0].view
        right = QWidget()
        fill(right, self._working, *self._plots, margins=(0, 6, 0, 0), spacing=1, stretches=(0, 1, 1))
        fill(self, self.area, right, margins=(0, 0, 12, 8), spacing=8, stretches=(3, 2), across=True)

    def bind(self, views: Binder, identification: JobStatus, example: JobStatus) -> None:
        """Bind the views; `identification` is the status of the step *Identify*, `example` the status of the other steps."""
        model = self._model
        busy = [on(status, "is_busy", "progress") for status in (identification, example)]
        views.bind(lambda: self._show_possible(identification, example), on(model, "results", "why_not", "step"), *busy)
        views.bind(self._show_steps, on(model, "results", "step_error"))
        views.bind(self._draw, on(model, "results"))

    def _show_possible(self, identification: JobStatus, example: JobStatus) -> None:
        model, status = self._model, identification if self._model.step == "identify" else example
        self.cancel.setEnabled(status.is_busy)
        self._working.setVisible(status.is_busy)
        self.progress.show_status(status)
        is_possible = not (identification.is_busy or example.is_busy or model.why_not)
        for k, (step, press) in enumerate(self.buttons.items()):
            press.setEnabled(is_possible and k <= len(model.results))
            press.setToolTip(model.why_not)
            set_style_property(press, "role", "primary" if is_possible and step == model.next_step else "")

    def _show_steps(self) -> None:
        model = self._model
        for k, (step, label) in enumerate(self.texts.items()):
            result = model.step_error if step == model.next_step else ""
            if k < len(model.results):
                result = step_result(step, model.results[k])
            text = f"{step_text(step)}\n→ {result}" if result else step_text(step)
            if result and text != label.text():
                self._last = step
                QTimer.singleShot(0, self, self._bring_up)
            label.setText(text)

    def _bring_up(self) -> None:
        """Scroll to the step that was done last."""
        if self._last:
            self.area.ensureWidgetVisible(self.texts[self._last], 0, 0)

    def _draw(self) -> None:
        found = self._model.result("compare")
        units = ("",) if found is None else found.units
        for k, titled in enumerate(self._plots):
            titled.setVisible(k < len(units))
            titled.show_title()
            if found is None:
                titled.view.show_curves([], 1.0, "Run the steps to see curves")
            elif k < len(units):
                joints = f"{JOINTS[units[k]]} joints" if len(units) > 1 else "all joints"
                titled.show_title(f"Tracking error, {joints}  [{units[k]}] over time  [s]")
                values = np.column_stack([found.errors[name][:, k] for name in NAMES])
                titled.view.show_curves([Curves(found.t, values, tuple(NAMES.values()), COLOURS)], float(found.t[-1]))
