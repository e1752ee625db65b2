"""`ImportModel`: a log of another program, its column mapping and its motion; and the background computations of an import."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from armature import engine
from armature.app.state.evented import Model, function_of
from armature.app.state.shared_sentences import capital
from armature.app.state.units import grouped
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.log_mapping import LogMapping
from armature.engine.recording.recording_formats import FORMATS

if TYPE_CHECKING:
    from armature.app.state.job import Job
    from armature.engine.recording.measured.log_motion import LogMotion
    from armature.engine.recording.measured.log_table import LogTable

Saved = Callable[[tuple[str, ...], int], tuple[LogMapping, str] | None]
"""Returns a mapping for names of columns and a number of joints, and its robot."""
PERIOD = 0.01  # s from row to row of a log without times, until another one is chosen
_GUESSES = {
    "time": "Time: {}",
    "time_unit": "Time unit: {}",
    "angle_unit": "Angle unit: {}",
    "length_unit": "Length unit: {}",
    "speed_unit": "Speed unit: {}",
    "torque_unit": "Torque unit: {}",
}
"""Text about the reason of each guess, in order."""


@dataclass(frozen=True, eq=False)
class Looked:
    """Motion of a robot from the columns of `table`."""

    table: LogTable
    robot: Robot
    mapping: LogMapping
    motion: LogMotion

    def is_of(self, table: LogTable | None, robot: Robot, mapping: LogMapping) -> bool:
        """True if these would make the same motion."""
        return self.table is table and self.robot is robot and self.mapping == mapping


@dataclass(eq=False)
class ImportModel(Model):
    """Choices for one log; `found` is the motion of these, or of earlier ones until these are computed."""

    robot: Robot
    table: LogTable | None = None
    separator: str = ""  # of a text file, as chosen or detected; empty: to be detected
    decimal: str = ""
    first_line: float = 0  # with numbers
    mapping: LogMapping = field(default_factory=LogMapping)
    remembered: str | None = None  # robot that the mapping was chosen for before, None for a guess
    skips_cells: bool = False  # cells that are not numbers are missing
    found: Looked | None = None
    error: str = ""  # why there is no motion or recording
    target: str = ""  # file of the recording
    fault: str = ""  # why nothing can be written there
    overwritten: str = ""  # file that was chosen to be replaced
    is_slow: bool = False  # the motion takes long enough for a note
    is_importing: bool = False
    progress: tuple[int, int] = 0, 0  # done, total; a total of 0 for none

    @function_of("table", "skips_cells", "error")
    def problem(self) -> str:
        """Reason why nothing can be imported, empty if it can."""
        if self.table is not None and self.table.wrong and not self.skips_cells:
            return f"{capital(self.table.wrong)} is not a number. To skip such cells, treat them as missing (above)."
        return self.error

    @function_of("found", "problem", "target", "is_importing")
    def is_possible(self) -> bool:
        """True if a recording can be made."""
        return self.found is not None and not self.problem and bool(self.target.strip()) and not self.is_importing

    @function_of("table")
    def head(self) -> str:
        """Size and form of the log."""
        if self.table is None:
            return ""
        words = f"{grouped(len(self.table))} rows of {grouped(len(self.table.names))} columns of numbers"
        return f"{words}: {self.table.form.words}." if self.table.form is not None else f"{words}."

    @property
    def path(self) -> Path:
        """File of the recording."""
        return Path(self.target.strip()).expanduser()

    @property
    def guesses(self) -> list[str]:
        """Reasons of the guesses."""
        why = {} if self.found is None else self.found.mapping.why
        return [text.format(why[key]) for key, text in _GUESSES.items() if why.get(key)]

    def take_table(self, table: LogTable) -> None:
        """Continue with the log as it was read."""
        form = table.form
        self.table, self.found, self.error = table, None, ""
        if form is not None:
            self.separator, self.decimal, self.first_line = form.separator, form.decimal, form.first_line

    def take_guess(self, guess: tuple[Robot, LogMapping, str | None]) -> None:
        """Continue with a robot and a mapping, guessed or remembered."""
        self.robot, mapping, self.remembered = guess
        self.mapping = replace(mapping, period=mapping.period or PERIOD)

    def take_motion(self, found: Looked) -> None:
        """Store the motion."""
        self.found, self.error, self.is_slow, self.progress = found, "", False, (0, 0)

    def fail(self, text: str) -> None:
        """Report why there is no motion or recording."""
        self.found, self.error, self.is_importing, self.is_slow, self.progress = None, text, False, False, (0, 0)

    def change(self, name: str, value: Any) -> None:
        """Change a field of the mapping."""
        self.mapping = replace(self.mapping, **{name: value})

    def set_column(self, group: str, joint: int, name: str) -> None:
        """Choose the column of a quantity of a joint."""
        self.mapping = self.mapping.with_column(group, joint, name)

    def set_target(self, target: str) -> None:
        """Choose the file of the recording."""
        self.target, self.fault = target, ""

    def check_target(self) -> bool:
        """Return whether the file can be written, else report why not."""
        if self.path.exists() and self.target != self.overwritten:
            self.fault = f"{self.path} exists; choose another name, or choose it with “Choose…” to replace it."
        elif self.path.suffix.lower() not in FORMATS:
            self.fault = f"The name of a recording must end in {', '.join(FORMATS)}."
        return not self.fault


# -- computations ------------------------------------------------------------------------------------------------------------


def read(path: Path, chosen: tuple[str, str, int], job: Job) -> LogTable:
    """Return the table of a log with any content of its cells; raises Cancelled."""
    from armature.engine.recording.measured.read_log import read_log
    from armature.engine.recording.measured.text_log import ANY

    return read_log(path, *chosen, (ANY,), job.progress, job.cancelled)


def first_mapping(table: LogTable, robot: Robot | str, saved: Saved | None) -> tuple[Robot, LogMapping, str | None]:
    """Return the robot, a mapping that was `saved` or a guess, and the robot that it was saved for, None for a guess."""
    from armature.engine.recording.measured.column_guess import guess_mapping

    robot = engine.load_robot(robot) if isinstance(robot, str) else robot
    found = None if saved is None else saved(table.names, robot.n)
    return (robot, guess_mapping(table, robot), None) if found is None else (robot, *found)


def motion_of(table: LogTable, robot: Robot, mapping: LogMapping, job: Job) -> Looked:
    """Return the motion of a mapping; raises RecordingError or Cancelled."""
    from armature.engine.recording.measured.log_motion import motion_from_log

    return Looked(table, robot, mapping, motion_from_log(table, robot, mapping, job.progress, job.cancelled))


def write_import(table: LogTable, robot: Robot, mapping: LogMapping, found: Looked | None, target: Path, job: Job) -> Path:
    """Write the recording, of the motion `found` if it is of this mapping; raises RecordingError or Cancelled."""
    from armature.engine.recording.measured.import_log import recording_from_motion
    from armature.engine.recording.measured.log_motion import motion_from_log

    if found is not None and found.is_of(table, robot, mapping):
        motion = found.motion
    else:
        motion = motion_from_log(table, robot, mapping, lambda k, total: job.progress(k, 4 * total), job.cancelled)
    recording = recording_from_motion(
        table, robot, motion, lambda k, total: job.progress(total + 2 * k, 4 * total), job.cancelled
    )
    return recording.save(target, lambda k, total: job.progress(3 * total + k, 4 * total), job.cancelled)
