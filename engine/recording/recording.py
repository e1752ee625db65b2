"""`Recording`: what an arm did, sample by sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from armature.engine.model.frozen import Frozen
from armature.engine.recording.recording_columns import JOINT_GROUPS, MEASURED_GROUPS, SCALAR_COLUMNS, Layout, column_names
from armature.engine.recording.recording_metadata import EVENTS, EXCERPT, IMPORTED, recorded_cell
from armature.engine.recording.recording_notes import logged_values

_READINGS = {"measured.q": "q_measured", "measured.qd": "qd_measured", "measured.tau": "tau_measured"}  # fields by group
_ROWS = 2048  # handed on at a time


@dataclass(frozen=True, eq=False)
class Recording(Frozen):
    """Recording of N samples of an arm with n joints; all arrays are read-only.

    `t` `(N,)`: s, starts at 0 and never decreases. `q`, `qd`, `qdd` `(N, n)`: joint positions, velocities and accelerations; rad,
    rad/s, rad/s² (prismatic: m, m/s, m/s²). `tau` `(N, n)`: motor torque in N·m or force in N. `tool` `(N, 7)`: position of the
    tool in the world frame, m, and its quaternion w x y z without sign jumps. `sigma_min` `(N,)`: smallest singular value, as in
    `singularity`. `kinetic`, `potential` `(N,)`: energy in J, of arm and payload.
    `q_measured`, `qd_measured`, `tau_measured` `(N, n)`: the sensor readings that the controller used, None without sensors.
    For a robot file without masses, tau and the energies are 0. `metadata`: robot, settings and events as plain data; `remarks`:
    findings such as columns with NaN; only remarks of an import are saved.
    """

    robot_name: str
    joint_names: tuple[str, ...]
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    tool: np.ndarray
    sigma_min: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray
    metadata: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    q_measured: np.ndarray | None = None
    qd_measured: np.ndarray | None = None
    tau_measured: np.ndarray | None = None

    def __post_init__(self):
        for name, value in vars(self).copy().items():
            if isinstance(value, np.ndarray):
                view = value.view()
                view.setflags(write=False)
                object.__setattr__(self, name, view)
        object.__setattr__(self, "metadata", MappingProxyType(dict(self.metadata)))

    def __len__(self) -> int:
        return len(self.t)

    @classmethod
    def from_table(
        cls, table: np.ndarray, joint_names: tuple[str, ...], metadata: Mapping[str, Any], remarks: tuple[str, ...] = ()
    ) -> Recording:
        """Return the recording with the rows of `table` `(N, 4n + 11)`, in the order of `columns`, without copying it.

        With sensor readings there are 3n more columns.
        """
        layout = Layout(len(joint_names))
        if table.shape[1] != layout.width:
            layout = Layout(len(joint_names), measured=True)
        groups = {name: table[:, layout.group(name)] for name in JOINT_GROUPS}
        readings = {_READINGS[name]: table[:, layout.group(name)] for name in MEASURED_GROUPS} if layout.measured else {}
        return cls(
            robot_name=str(metadata.get("robot", "")),
            joint_names=tuple(joint_names),
            t=table[:, 0],
            **groups,
            tool=table[:, layout.tool],
            **{name: table[:, layout.scalar(name)] for name in SCALAR_COLUMNS},
            metadata=metadata,
            remarks=tuple(remarks),
            **readings,
        )

    @property
    def measured(self) -> bool:
        """True if the recording has sensor readings."""
        return self.q_measured is not None

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names of `table()` and of the files, a tuple of texts.

        "t"; "q.JOINT" of each joint, then "qd.…", "qdd.…" and "tau.…"; "tool.x" … "tool.qz"; "sigma_min", "kinetic", "potential".
        With sensors "measured.q.…", "measured.qd.…" and "measured.tau.…" follow.
        """
        return column_names(self.joint_names, self.measured)

    @property
    def duration(self) -> float:
        """Duration in s, from the first to the last sample."""
        return float(self.t[-1] - self.t[0]) if len(self.t) else 0.0

    @property
    def log(self) -> dict[str, np.ndarray]:
        """Values logged by a user-defined controller, by name, `(N,)` or `(N, k)`; empty for a part of a recording."""
        if self.metadata.get(EXCERPT):
            return {}
        return logged_values(self.metadata.get(EVENTS) or (), len(self))

    @property
    def joint_groups(self) -> dict[str, np.ndarray]:
        """The arrays `(N, n)` of all joints by name: "q", "qd", "qdd" and "tau", units as in `Recording`."""
        return {name: vars(self)[name] for name in JOINT_GROUPS}

    @property
    def measured_groups(self) -> dict[str, np.ndarray]:
        """The sensor readings `(N, n)` by name: "measured.q", "measured.qd" and "measured.tau"; empty without sensors."""
        return {group: vars(self)[name] for group, name in _READINGS.items() if vars(self)[name] is not None}

    def _repr_html_(self) -> str:
        """Facts and web page for a notebook; curves instead of the page for a long recording, or if its robot is not found."""
        from armature.engine import notebook  # nothing for scripts

        page = notebook.recording_page(self.save, self.robot_name) if 0 < len(self) <= notebook.LONGEST else None
        below = notebook.curves_html(self.t, self._curves(), self.joint_names) if page is None else notebook.page_frame(page)
        return notebook.facts_html(self._facts(), below)

    def _facts(self) -> dict[str, str]:
        """Robot, length and origin of the recording."""
        facts = {
            "robot": self.robot_name or "unknown",
            "samples": f"{len(self)} in {self.duration:.6g} s",
        }
        imported = self.metadata.get(IMPORTED)
        if isinstance(imported, Mapping):
            return {**facts, "origin": f"measured, imported from {imported.get('file', 'a log')}"}
        law = self.metadata.get("controller") or {}
        kind = str(law.get("kind", "unknown")) if isinstance(law, Mapping) else "unknown"
        origin = "simulated, with sensors" if self.measured else "simulated" if law else "unknown"
        cell = recorded_cell(self.metadata)
        return {**facts, "origin": origin, "controller": kind, **({"cell": cell[0]} if cell else {})}

    def _curves(self) -> dict[str, np.ndarray]:
        """Drawn columns by title; torques only for arms with masses or measured torques."""
        types = self.metadata.get("joint_types") or ("revolute", "prismatic")
        slides = [kind == "prismatic" for kind in types]
        length, angle = any(slides), not all(slides)

        def unit(of_angles: str, of_lengths: str) -> str:
            return ", ".join([of_angles] * angle + [of_lengths] * length)

        curves = {f"q [{unit('rad', 'm')}]": self.q, f"qd [{unit('rad/s', 'm/s')}]": self.qd}
        if any(np.nan_to_num(values).any() for values in (self.tau, self.kinetic, self.potential)):
            curves[f"tau [{unit('N·m', 'N')}]"] = self.tau
        return curves

    def table(self, first: int = 0, last: int | None = None) -> np.ndarray:
        """Return rows `first` to `last` − 1 (None: the end), `(k, 4n + 11)` in the order of `columns`; 3n more with sensors."""
        scalars = (vars(self)[name] for name in SCALAR_COLUMNS)
        columns = (self.t, *self.joint_groups.values(), self.tool, *scalars, *self.measured_groups.values())
        return np.column_stack([values[first:last] for values in columns])

    def save(
        self,
        path: str | Path,
        progress: Callable[[int, int], None] = lambda done, total: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Path:
        """Write the recording as `.csv`, `.npz`, `.mat` or `.mcap`, by the suffix of `path`; replace an existing file.

        The file is complete or absent. A `.csv` holds the columns only; its metadata are in `<name>.csv.meta.json`.

        Args:
            path: the file.
            progress: called repeatedly with the samples written and the total.
            cancelled: called repeatedly; if it returns True, Cancelled is raised and nothing is written.

        Returns:
            The path written.

        Raises:
            RecordingError: an unsupported suffix, or the file cannot be written.
        """
        from armature.engine.recording.recording_files import write_recording

        return write_recording(
            Path(path), self.columns, self.metadata, self._blocks(progress), overwrite=True, cancelled=cancelled
        )

    def _blocks(self, progress: Callable[[int, int], None]) -> Iterator[np.ndarray]:
        for first in range(0, len(self), _ROWS):
            progress(first, len(self))
            yield self.table(first, first + _ROWS)
