"""`Sweep`: all runs of a scenario file, and what tells its results from those of another one."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from armature.engine.model.robot_changes import fingerprint
from armature.engine.simulation.runs.scenario import build_run, load_scenario
from armature.engine.simulation.runs.scenario_run import ScenarioRun
from armature.engine.simulation.sweeps.computing_facts import computing_facts
from armature.engine.simulation.sweeps.origin import Origin


class Sweep:
    """The runs of a scenario by their number, from 0 on; each is built when it is requested, of the same robots throughout.

    `joints` are the joints of all robots, in the order of the runs; `records` what each run is recorded to, None for nothing.
    """

    def __init__(self, path: Path, allow_outside: bool = False, allow_code: bool = False):
        self._path, self._allowed = path, (allow_outside, allow_code)
        self.entries = load_scenario(path, allow_outside, allow_code)
        self.records: list[Path | None] = []
        joints: dict[str, None] = {}
        robots, figures = hashlib.sha256(), hashlib.sha256()
        for number, entry in enumerate(self.entries):
            run = self.run(number)
            self.records.append(run.record)
            joints |= dict.fromkeys(run.robot.joint_names)
            robots.update(f"{run.robot.file_hash} {run.robot.companion_hash} {fingerprint(run.robot)}\n".encode())
            figures.update(_figures(entry, run))
        facts = computing_facts()
        self.joints = tuple(joints)
        self.origin = Origin(
            version=f"{facts['version']}-{facts['sources'][:8]}",
            target=facts["target"],
            libraries=hashlib.sha256(facts["libraries"].encode()).hexdigest()[:8],
            robots=robots.hexdigest()[:16],
            scenario=figures.hexdigest()[:16],
        )

    def __len__(self) -> int:
        return len(self.entries)

    def run(self, number: int) -> ScenarioRun:
        """The run of that number. Raises EngineError where a file of it is no longer what it was."""
        entry = self.entries[number]
        return build_run(self._path, entry["run"], entry["table"], *self._allowed)

    def name(self, number: int) -> str:
        """What the run is called."""
        return self.entries[number]["table"]["name"]

    def swept(self, number: int) -> dict[str, Any]:
        """The values that make the run one of its sweep, by key."""
        return self.entries[number]["swept"]


def _figures(entry: dict[str, Any], run: ScenarioRun) -> bytes:
    """What the file says of a run, and what other files than the robot's add to it: trajectory and law."""
    controller = None if run.controller is None or callable(run.controller) else run.controller.describe()
    text = json.dumps([entry["table"], controller], sort_keys=True, default=str).encode()
    return text if run.trajectory is None else text + run.trajectory.breaks.tobytes() + run.trajectory.coefficients.tobytes()
