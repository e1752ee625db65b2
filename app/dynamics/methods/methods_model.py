"""`MethodsModel`: integrators compared on the open arm, and the cost of algorithms on serial arms of growing length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from armature.app.state.evented import Model, function_of
from armature.app.state.shared_sentences import COMPILING, no_masses
from armature.app.state.units import UNKNOWN, grouped, number, significant

if TYPE_CHECKING:
    from armature.engine import Robot
    from armature.engine.dynamics.algorithm_cost import AlgorithmCost
    from armature.engine.simulation.runs.integrator_comparison import IntegratorComparison

INTEGRATORS = (
    "Euler, explicit",
    "Euler, semi-implicit (dashed)",
    "Implicit midpoint",
    "Runge–Kutta 4 (dashed)",
    "Gauss, order 6 (dots)",
)
ALGORITHMS = ("Newton–Euler: τ, O(n)", "Composite bodies: M, O(n²)", "Lagrange: τ, O(n³)")
FREE = "Without motors, friction and stops the energy is constant; any change is integration error. Starts at the current pose."
SERIAL = "Serial arms with 2 to 50 revolute joints: number of multiplications and additions, and time on this computer."


@dataclass(eq=False)
class MethodsModel(Model):
    """Results of both comparisons, and the reasons why results are missing."""

    robot: Robot
    is_ready: bool = False  # all kernels are compiled
    dt: float = 0.005  # s, time step of the plot over time
    runs: IntegratorComparison | None = None
    note: str = ""  # why there are no runs
    costs: tuple[AlgorithmCost, ...] = ()  # of the lengths measured so far
    cost_note: str = ""

    @function_of("robot", "is_ready")
    def why_not(self) -> str:
        """Reason why integrators cannot be compared, empty if they can."""
        return no_masses(self.robot.name) if not self.robot.has_dynamics else self.why_no_costs

    @function_of("is_ready")
    def why_no_costs(self) -> str:
        """Reason why algorithms cannot be compared, empty if they can."""
        return "" if self.is_ready else COMPILING

    def change_robot(self, robot: Robot) -> None:
        """Discard the runs of another robot."""
        self.robot, self.runs, self.note = robot, None, ""

    @property
    def text(self) -> str:
        """Describe the runs, or the reason why they are missing."""
        found = self.runs
        if found is None:
            return self.why_not or self.note or FREE
        lost = [name for name, row in zip(INTEGRATORS, found.worst) if np.isnan(row).any()]
        gone = f" {', '.join(lost)}: diverges with large steps." if lost else ""
        unclear = (np.isnan(found.orders) & ~np.isnan(found.worst).all(axis=1)).any()
        why = f" {UNKNOWN}: order unknown, because almost all errors are rounding or as large as the motion." if unclear else ""
        return f"Up to {significant(found.energy, 3)} J of kinetic energy. Order p: error proportional to dt^p.{why}{gone}"

    @property
    def cost_text(self) -> str:
        """Describe the costs, or the reason why they are missing."""
        if len(self.costs) < 2:
            return self.why_no_costs or self.cost_note or SERIAL
        last = self.costs[-1]
        ratio = number(last.operations[2] / last.operations[0], 1)
        counts = ", ".join(grouped(count) for count in last.operations)
        return (
            f"{last.n} joints: {counts} operations; Lagrange needs {ratio} times as many as Newton–Euler."
            " The exponents approach 1, 2 and 3 for long arms."
        )
