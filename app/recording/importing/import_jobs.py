"""What the import of a log computes beside the window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from armature import engine
from armature.app.recording.importing.remembered import Remembered
from armature.app.state.jobs import Job

if TYPE_CHECKING:
    from armature.engine import Robot
    from armature.engine.recording.measured.log_mapping import LogMapping
    from armature.engine.recording.measured.log_motion import LogMotion
    from armature.engine.recording.measured.log_table import LogTable


@dataclass(frozen=True, eq=False)
class Looked:
    """The motion that the columns of `table` make of a robot."""

    table: LogTable
    robot: Robot
    mapping: LogMapping
    motion: LogMotion

    def is_of(self, table: LogTable, robot: Robot, mapping: LogMapping) -> bool:
        """Whether these would make the same motion."""
        return self.table is table and self.robot is robot and self.mapping == mapping


def read(path: Path, chosen: tuple[str, str, int], job: Job) -> LogTable:
    """Return the table of a log with any content of its cells; raises Cancelled."""
    from armature.engine.recording.measured.read_log import read_log
    from armature.engine.recording.measured.text_log import ANY

    return read_log(path, *chosen, (ANY,), job.progress, job.cancelled)


def begun(table: LogTable, robot: Robot | str, remembered: Remembered | None) -> tuple[Robot, LogMapping, str | None]:
    """The robot, what its columns are taken for at first, and for which robot that was remembered, None for a guess."""
    from armature.engine.recording.measured.column_guess import guess_mapping

    robot = engine.load_robot(robot) if isinstance(robot, str) else robot
    kept = None if remembered is None else remembered.mapping(table.names, robot.n)
    if remembered is None or kept is None:
        return robot, guess_mapping(table, robot), None
    return robot, kept, remembered.robot(table.names, robot.n)


def looked(table: LogTable, robot: Robot, mapping: LogMapping, job: Job) -> Looked:
    """The motion that the choices make."""
    from armature.engine.recording.measured.log_motion import motion_from_log

    return Looked(table, robot, mapping, motion_from_log(table, robot, mapping, job.progress, job.cancelled))


def made(
    table: LogTable, robot: Robot, mapping: LogMapping, found: Looked | None, target: Path, job: Job
) -> tuple[Path, LogMapping]:
    """The recording in its file; of the motion `found` if it was looked at already."""
    from armature.engine.recording.measured.import_log import recording_from_motion
    from armature.engine.recording.measured.log_motion import motion_from_log

    if found is not None:
        motion = found.motion
    else:
        motion = motion_from_log(table, robot, mapping, lambda k, total: job.progress(k, 4 * total), job.cancelled)
    recording = recording_from_motion(
        table, robot, motion, lambda k, total: job.progress(total + 2 * k, 4 * total), job.cancelled
    )
    return recording.save(target, lambda k, total: job.progress(3 * total + k, 4 * total), job.cancelled), mapping
