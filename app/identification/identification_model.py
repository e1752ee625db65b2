"""`IdentificationModel`: excitation trajectory, chosen recordings, settings, result and guided example of an identification."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from armature.app.state.evented import Model, function_of
from armature.app.state.shared_sentences import COMPILING, no_masses, sentence
from armature.engine.errors import EngineError
from armature.engine.identification.coupled_drives import Coupling, coupled_drives, coupling_of
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording

if TYPE_CHECKING:
    from armature.engine import Excitation, Identification, Trajectory

FIT, VALIDATE, UNUSED = "fit", "validate", "unused"
USES = {UNUSED: "not used", FIT: "fit", VALIDATE: "validate"}
STEPS = "disturb", "motion", "simulate", "identify", "compare"
EXAMPLE = "Example: arm with changed parameters"
NO_RECORDINGS = "Add recordings, or record an excitation trajectory on the “Motion” tab first."
NO_FIT = "Set at least one recording to “fit”."


@dataclass(frozen=True, eq=False)
class Entry:
    """A recording of the list: a file, or one that is open in the window, with its use."""

    name: str
    source: Path | Recording
    use: str = UNUSED

    def is_same(self, other: Entry) -> bool:
        """True if both are the same recording."""
        return self.source == other.source if isinstance(self.source, Path) else self.source is other.source


@dataclass(frozen=True)
class Options:
    """Settings of an identification.

    `couplings` are motors that turn several joints, as text: "joint5+joint6", with commas between several. `cutoff` Hz of the
    filter, 0: chosen from the motion; `hold_out` the share in per cent, at the end of each recording of the fit, that is used for
    validation only.
    """

    friction: bool = True
    offsets: bool = True
    rotor: bool = False
    payload: bool = False
    currents: bool = False
    couplings: str = ""
    cutoff: float = 0.0
    hold_out: float = 25.0

    def drives(self, robot: Robot) -> tuple[Coupling, ...]:
        """Return the coupled drives, none if only the payload is estimated. Raises EngineError for joints of another robot."""
        texts = [] if self.payload else [text for text in self.couplings.split(",") if text.strip()]
        drives = tuple(coupling_of(text) for text in texts)
        coupled_drives(robot, drives)
        return drives

    def why_not(self, robot: Robot) -> str:
        """Return the fault of the coupled drives, empty without one."""
        try:
            self.drives(robot)
        except EngineError as error:
            return str(error)
        return ""


@dataclass(frozen=True, eq=False)
class Motion:
    """Excitation trajectory of a robot, and how well it excites the parameters."""

    robot: Robot
    trajectory: Trajectory
    excitation: Excitation


@dataclass(frozen=True, eq=False)
class Outcome:
    """Parameters identified for the robot of a `file`; `names` of the recordings, in the order of `found.curves`."""

    found: Identification
    file: Robot
    names: tuple[str, ...]


@dataclass(eq=False)
class IdentificationModel(Model):
    """State of the dock *Identify*, for the open robot or for the robot of the file that it was identified from."""

    robot: Robot
    is_ready: bool = False  # all kernels are compiled
    duration: float = 10.0  # s, of the next excitation trajectory
    harmonics: float = 5.0  # of its Fourier series
    motion: Motion | None = None
    motion_note: str = ""  # why there is no other motion
    entries: tuple[Entry, ...] = ()  # recordings, in the order in which they came
    options: Options = field(default_factory=Options)
    note: str = ""  # about the last identification, until something is chosen
    outcome: Outcome | None = None
    results: tuple[Any, ...] = ()  # of the first steps of the example
    step: str = ""  # of the example that is being computed
    step_error: str = ""  # why the step after `results` failed

    @function_of("robot", "is_ready")
    def why_not(self) -> str:
        """Reason why nothing can be computed for this robot, empty if it can."""
        return no_masses(self.robot.name) if not self.robot.has_dynamics else "" if self.is_ready else COMPILING

    @function_of("why_not", "entries", "options")
    def why_not_identify(self) -> str:
        """Reason why nothing can be identified, empty if it can."""
        if self.why_not or not self.entries:
            return self.why_not or NO_RECORDINGS
        return sentence(self.options.why_not(self.robot)) if self.of_use(FIT) else NO_FIT

    @function_of("robot", "outcome")
    def is_accepted(self) -> bool:
        """True if the open robot is the identified one."""
        return self.outcome is not None and self.robot is self.outcome.found.robot

    @function_of("results")
    def next_step(self) -> str:
        """Step of the example after the last result, empty after the last one."""
        return STEPS[len(self.results)] if len(self.results) < len(STEPS) else ""

    def of_use(self, use: str) -> tuple[Entry, ...]:
        """Return the entries with this use."""
        return tuple(entry for entry in self.entries if entry.use == use)

    def result(self, step: str) -> Any:
        """Return the result of a step of the example, None before it."""
        k = STEPS.index(step)
        return self.results[k] if k < len(self.results) else None

    # -- commands ------------------------------------------------------------------------------------------------------------

    def change_robot(self, robot: Robot, is_same_arm: bool) -> None:
        """Continue with another robot; the same arm with other parameters keeps the results."""
        self.robot = robot
        if not is_same_arm:
            self.begin_anew()

    def begin_anew(self) -> None:
        """Discard motion, recordings and results."""
        self.motion, self.motion_note, self.outcome, self.entries, self.note = None, "", None, (), ""
        self.results, self.step, self.step_error = (), "", ""

    def take_motion(self, motion: Motion) -> None:
        """Store an excitation trajectory."""
        self.motion, self.motion_note = motion, ""

    def add(self, *entries: Entry) -> None:
        """Add recordings; one that is in the list is replaced, and keeps its use where the new one has none."""
        chosen = list(self.entries)
        for entry in entries:
            k = next((k for k, old in enumerate(chosen) if old.is_same(entry)), len(chosen))
            use = chosen[k].use if k < len(chosen) and entry.use == UNUSED else entry.use
            chosen[k : k + 1] = [replace(entry, use=use)]
        self._choose(tuple(chosen))

    def set_use(self, k: int, use: str) -> None:
        """Use recording k for something else."""
        self._choose((*self.entries[:k], replace(self.entries[k], use=use), *self.entries[k + 1 :]))

    def remove(self, k: int) -> None:
        """Remove recording k from the list."""
        self._choose((*self.entries[:k], *self.entries[k + 1 :]))

    def set_option(self, name: str, value: Any) -> None:
        """Change one field of the options."""
        self.options, self.note = replace(self.options, **{name: value}), ""

    def take_outcome(self, outcome: Outcome) -> None:
        """Store identified parameters."""
        self.outcome, self.note = outcome, "Done. See Result, Torques and Parameters."
        self.take_step("identify", outcome.found)

    def fail(self, text: str) -> None:
        """Report why nothing was identified."""
        self.note = sentence(text)
        self.fail_step("identify", text)

    def begin_step(self, step: str) -> None:
        """Begin a step of the example; results of this and of later steps are discarded."""
        self.results, self.step, self.step_error = self.results[: STEPS.index(step)], step, ""

    def take_step(self, step: str, result: Any) -> None:
        """Store the result of the step that was begun."""
        if step == self.step:
            self.results, self.step = (*self.results, result), ""

    def fail_step(self, step: str, text: str) -> None:
        """Report why the step that was begun failed."""
        if step == self.step:
            self.step, self.step_error = "", sentence(text)

    def use_example(self, recording: Recording) -> None:
        """Fit the recording of the example alone, with the usual options."""
        others = (replace(entry, use=UNUSED) for entry in self.entries if entry.name != EXAMPLE)
        self._choose((*others, Entry(EXAMPLE, recording, FIT)))

    def _choose(self, entries: tuple[Entry, ...]) -> None:
        self.entries, self.note = entries, ""
