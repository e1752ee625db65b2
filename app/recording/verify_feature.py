"""*Verify*: an open recording simulated again, and compared to the last bit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from armature import engine
from armature.app.control.own_law.feature import OwnLawFeature
from armature.app.feature import Feature
from armature.app.recording.feature import RecordingFeature
from armature.app.state.evented import on
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.units import grouped, significant
from armature.app.widgets.dialogs.code_dialog import CodeDialog
from armature.engine.errors import one_line
from armature.engine.recording.recording import Recording
from armature.engine.version import VERSION

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

QUESTION = (
    "Simulating this recording again runs the Python code that it contains: {names}. Code has all of your permissions:"
    " read it first, and run it only if you trust it."
)


def code_inside(metadata: Any) -> dict[str, str]:
    """Every text of a law or a disturbance that simulating again would run, with its name; whatever else the metadata hold."""
    told = metadata if isinstance(metadata, Mapping) else {}
    events = told.get("events")
    kept = events if isinstance(events, (list, tuple)) else ()
    places = [told, *(event for event in kept if isinstance(event, Mapping))]
    found = [place.get(kind) for place in places for kind in ("controller", "disturbance")]
    code = [one for one in found if isinstance(one, Mapping) and isinstance(one.get("text"), str) and one["text"]]
    return {one["text"]: one_line(str(one.get("name", "law")), 60) for one in code}


class RecordedCodeDialog(CodeDialog):
    """Shows `code`, names by text; accepted once a person has it run."""

    def __init__(self, code: Mapping[str, str], parent: QWidget | None = None):
        words = QUESTION.format(names=", ".join(dict.fromkeys(code.values())))
        text = (_joined(code), "The recording contains code")
        super().__init__("recorded_code", "Verify", words, text, QDialogButtonBox.StandardButton.Cancel, parent)
        self.add_button("Run and verify", "recorded_code_run").clicked.connect(self.accept)


def _joined(code: Mapping[str, str]) -> str:
    """All texts, one below the other, each under its name where there are more."""
    if len(code) == 1:
        return next(iter(code))
    return "\n\n".join(f"#### {k} of {len(code)}: {name}\n{text}" for k, (text, name) in enumerate(code.items(), 1))


class VerifyFeature(Feature):
    """Wires the button below the timeline; what it finds goes with the recording."""

    needs = (RecordingFeature, OwnLawFeature)

    def __init__(self, bench: Workbench, recording: RecordingFeature, own: OwnLawFeature):
        self._bench, self._tools, self._own = bench, recording.panel.tools, own
        self._runs = JobRunner("resimulate", bench.parent)

    def wire(self) -> None:
        """Wire button, replay and thread."""
        bench, tools, runs = self._bench, self._tools, self._runs
        bench.files.recording_opened.connect(lambda *_: self._forget())
        bench.replay.replaying_changed.connect(lambda on: on or runs.cancel())
        tools.requested.connect(lambda name: self.verify() if name == "verify" else None)
        bench.views.bind(lambda: tools.show_busy("verify", runs.status.is_busy), on(runs.status, "is_busy"))
        bench.views.bind(self._show_progress, on(runs.status, "progress"))

    def shut_down(self) -> None:
        """End the thread."""
        self._runs.stop()

    def _forget(self) -> None:
        self._runs.cancel()
        self._tools.show_result("")

    def verify(self) -> None:
        """Simulate the open recording again and compare; code in it runs where it is that of the open law, or is allowed to."""
        recording = self._bench.replay.recording
        if recording is None:
            return
        code, law = code_inside(recording.metadata), self._own.law
        if all(law is not None and text == law.text for text in code):
            self._verify(recording, bool(code))
            return
        dialog = RecordedCodeDialog(code, self._bench.parent)
        dialog.accepted.connect(lambda: self._verify(recording, True))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _verify(self, recording: Recording, allow_code: bool):
        if recording is self._bench.replay.recording:  # it may have been closed below the question
            self._tools.show_result("Simulating again…")
            self._runs.start(partial(_verified, recording, allow_code), self._on_verified, self._tools.show_result)

    def _show_progress(self) -> None:
        done, total = self._runs.status.progress
        if total:
            self._tools.show_result(f"Simulating again… {100 * done // total} %")

    def _on_verified(self, result):
        from armature.engine.kernel_target import target_name  # imports numba, for which the window does not wait

        if result.identical:
            text = f"Identical: the simulation repeats all numbers of {grouped(result.samples)} samples to the last bit."
        elif isnan(result.difference):
            text = "Identical to the last bit, except in gaps of the recording;"
            text += f" {_unknown(result)}, the first in sample {grouped(result.sample + 1)}: {result.column}."
        else:
            t = self._bench.replay.open.t[result.sample]
            text = (
                f"The simulation first differs in sample {grouped(result.sample + 1)} (t = {significant(t, 4)} s):"
                f" {result.column}, by {significant(result.difference, 3)}."
            )
            if result.unknown:
                text += f" {_unknown(result).capitalize()}."
            if result.version:
                text += f" It was recorded with version {result.version}; version {VERSION} may round differently."
            if result.target:
                text += f" It was computed on {result.target}; {target_name()} rounds differently."
        self._tools.show_result(text)


def _unknown(result) -> str:
    """How many samples hold no numbers."""
    return f"{grouped(result.unknown)} of {grouped(result.samples)} samples hold NaN, which cannot be compared"


def _verified(recording, allow_code: bool, job: Job):
    return engine.verify_recording(recording, None, job.progress, job.cancelled, allow_code=allow_code)
