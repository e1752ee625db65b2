"""`MeasuredModel`: torques of an open recording compared with the model, and the singular poses that it crosses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from armature import engine
from armature.app.state.evented import Model, function_of
from armature.app.state.shared_sentences import sentence
from armature.app.state.units import measured, significant
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED

if TYPE_CHECKING:
    from armature.app.state.job import Job
    from armature.engine import Robot, SingularityMet, TorqueResiduals

NOTHING = "Open a recording, or import the log of a real robot: File ▸ Import log…"
OWN = "Recorded by Armature; the recorded torques are motor torques."
STEP = 1e-3  # s


@dataclass(frozen=True, eq=False)
class Facts:
    """Results for a recording of a robot; `why` is the reason why residuals are missing."""

    robot: Robot
    residuals: TorqueResiduals | None
    why: str
    met: tuple[SingularityMet, ...]
    threshold: float

    @property
    def text(self) -> str:
        """Remarks about the residuals, or the reason why they are missing."""
        return self.why or "\n".join(map(sentence, self.residuals.remarks if self.residuals is not None else ()))

    @property
    def rows(self) -> dict[str, list[str]]:
        """Measured torque, residual, largest residual and its time in s, by joint with unit."""
        found, rows = self.residuals, dict[str, list[str]]()
        if found is None:
            return rows
        for k, name in enumerate(self.robot.joint_names):
            values = [float(column[k]) for column in (found.measured_rms, found.rms, found.largest, found.at)]
            texts = [significant(value, 3 if j < 3 else 4) if np.isfinite(value) else "–" for j, value in enumerate(values)]
            rows[f"{name} [{'N' if self.robot.prismatic[k] else 'N·m'}]"] = texts
        return rows

    @property
    def crossings(self) -> list[str]:
        """Time and condition number of each singular pose that is crossed."""
        texts = []
        for one in self.met:
            when = f"{one.start:.2f} s" if one.end - one.start < 0.01 else f"{one.start:.2f} to {one.end:.2f} s"
            worst = "singular" if one.condition > 1e8 else f"condition up to {measured(one.condition)}"
            texts.append(f"{when}: {worst}, σ min {measured(one.sigma_min)}")
        return texts


@dataclass(eq=False)
class MeasuredModel(Model):
    """Results for the open recording, if there is one."""

    recording: Recording | None = None
    facts: Facts | None = None  # None while unknown
    note: str = ""  # about the last command

    @function_of("recording")
    def warnings(self) -> list[str]:
        """Warnings of the import."""
        return [] if self.recording is None else _lines(self.recording.metadata.get(IMPORTED), "warnings")

    @function_of("recording")
    def about(self) -> str:
        """Origin and conversion of the recording, a line each."""
        if self.recording is None:
            return NOTHING
        imported = self.recording.metadata.get(IMPORTED)
        if not isinstance(imported, Mapping):
            return OWN
        notes = [line for line in _lines(imported, "notes") if line not in self.warnings]
        return "\n".join([f"Imported from {imported.get('file', 'a log')}.", *notes])

    def open(self, recording: Recording | None) -> None:
        """Continue with another recording, None for none."""
        self.recording, self.facts, self.note = recording, None, ""

    def fail(self, text: str) -> None:
        """Report why a command failed."""
        self.note = sentence(text)

    def fraction(self, t: float) -> float | None:
        """Time t in s of the recording as a share of it, 0…1; None if it has no duration."""
        recording = self.recording
        return None if recording is None or recording.duration <= 0 else (t - float(recording.t[0])) / recording.duration


def _lines(imported: object, key: str) -> list[str]:
    """Lines under `key` in the metadata of an import."""
    lines = imported.get(key) if isinstance(imported, Mapping) else None
    return [sentence(line) for line in lines if isinstance(line, str) and line] if isinstance(lines, list) else []


def facts_of(recording: Recording, robot: Robot, threshold: float) -> Facts:
    """Compute torque residuals, and the singular poses whose condition number exceeds `threshold`."""
    residuals, why = None, ""
    try:
        residuals = engine.torque_residuals(recording, robot)
    except engine.EngineError as error:
        why = sentence(str(error))
    return Facts(robot, residuals, why, engine.singularities_met(recording, robot, threshold), threshold)


def simulated_part(
    recording: Recording, robot: Robot, part: tuple[float, float], law: Any, model: Robot | None, job: Job
) -> tuple[Recording, np.ndarray]:
    """Return the run of the simulated arm along a part of a recording, at its times, and its largest errors `(n,)`, rad or m.

    Raises EngineError for a part that cannot be followed, and Cancelled.
    """
    way = engine.recorded_trajectory(recording, *part)
    q, qd, _ = way.sample(0.0)
    job.check()
    run = engine.simulate(robot, q, qd, way.duration, STEP, law, trajectory=way, model=model)
    table = run.table()
    table[:, 0] += part[0]
    shifted = Recording.from_table(table, run.joint_names, run.metadata)
    at = [np.interp(shifted.t, recording.t, recording.q[:, k]) for k in range(robot.n)]
    return shifted, np.nanmax(np.abs(np.column_stack(at) - run.q), axis=0)
