"""`Coupling`: which joints of a tree copy others (the mimic joints of URDF)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only


@dataclass(frozen=True, eq=False)
class Coupling(Frozen):
    """Positions of all joints of the tree from the n that move on their own: q_b = G q + offset, qd_b = G qd.

    Virtual work then gives tau = Gᵀ tau_b, M = Gᵀ M_b G, J = J_b G; G is constant, so C = Gᵀ C_b G with nothing added.
    Per body of the tree: `names` of its joint, `driver` the index of the independent joint it follows, `multiplier`, `offset`.
    `own` `(n,)` is the body that each independent joint itself carries; `lower` and `upper` `(n_bodies,)` are the limits
    that each joint has by itself, ±inf without.

    Source: Featherstone, Rigid Body Dynamics Algorithms, section 3.5 (explicit constraints).
    """

    names: tuple[str, ...]
    driver: np.ndarray
    multiplier: np.ndarray
    offset: np.ndarray
    own: np.ndarray
    lower: np.ndarray = field(default_factory=lambda: np.empty(0))
    upper: np.ndarray = field(default_factory=lambda: np.empty(0))

    def __post_init__(self):
        for name, none in (("lower", -np.inf), ("upper", np.inf)):
            limits = getattr(self, name)
            vars(self)[name] = read_only(limits if len(limits) else np.full(len(self.names), none))
        vars(self).update(driver=read_only(self.driver, np.int64), own=read_only(self.own, np.int64))
        vars(self).update(multiplier=read_only(self.multiplier), offset=read_only(self.offset))

    @cached_property
    def G(self) -> np.ndarray:
        """∂q_b/∂q, `(n_bodies, n)`, one entry per row."""
        G = np.zeros((len(self.names), len(self.own)))
        G[np.arange(len(self.names)), self.driver] = self.multiplier
        return read_only(G)

    def position(self, q: np.ndarray) -> np.ndarray:
        """q_b `(…, n_bodies)` from q `(…, n)`, in C order as kernels read it."""
        return self.rate(q) + self.offset

    def rate(self, qd: np.ndarray) -> np.ndarray:
        """qd_b or qdd_b `(…, n_bodies)` from qd or qdd `(…, n)`, in C order; indexing would leave the batch innermost."""
        return np.take(qd, self.driver, axis=-1) * self.multiplier

    def force(self, tau: np.ndarray) -> np.ndarray:
        """Gᵀ tau_b `(…, n)` from tau_b `(…, n_bodies)`."""
        return tau @ self.G

    def columns(self, J: np.ndarray) -> np.ndarray:
        """J_b G `(…, 6, n)` from J_b `(…, 6, n_bodies)`."""
        return J @ self.G

    def matrix(self, M: np.ndarray) -> np.ndarray:
        """Gᵀ M_b G `(…, n, n)` from M_b `(…, n_bodies, n_bodies)`."""
        return self.G.T @ M @ self.G

    def driver_limits(self, body: int) -> tuple[float, float]:
        """Ends of the driver's range in which a body's joint keeps to its own limits: (limit − offset) / multiplier."""
        m = float(self.multiplier[body])
        if m == 0.0:
            return -np.inf, np.inf
        ends = [(float(limit) - float(self.offset[body])) / m + 0.0 for limit in (self.lower[body], self.upper[body])]
        return min(ends), max(ends)

    def common_limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Limits `(n,)` that an independent joint and its copies allow together.

        Limits of a copy that leave no motion at all are meant for the other sign, or for another joint, and do not count.
        """
        low, high = self.lower[self.own], self.upper[self.own]
        for body in range(len(self.names)):
            k, ends = self.driver[body], self.driver_limits(body)
            narrow = max(low[k], ends[0]), min(high[k], ends[1])
            if body not in self.own and narrow[0] < narrow[1]:
                low[k], high[k] = narrow
        return low, high

    def common_speeds(self, speeds: np.ndarray) -> np.ndarray:
        """Speed limits `(n,)` that independent joints and their copies allow together, from the limits `(n_bodies,)` of all
        joints.
        """
        allowed = np.full(len(self.own), np.inf)
        with np.errstate(divide="ignore"):
            np.minimum.at(allowed, self.driver, speeds / np.abs(self.multiplier))
        return allowed

    def ranges(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Ranges `(n_bodies,)` of the tree's joints while the independent ones are in low … high `(n,)`."""
        with np.errstate(invalid="ignore"):  # 0 · inf of a joint that copies nothing
            ends = np.stack([self.position(low), self.position(high)])
        ends = np.where(np.isnan(ends), self.offset, ends)
        return ends.min(axis=0), ends.max(axis=0)


def chained_coupling(
    names: Sequence[str], copies: Mapping[int, tuple[int, float, float]], lower: np.ndarray, upper: np.ndarray
) -> Coupling:
    """Coupling in which joint i copies joint j, q_i = m q_j + b, for each entry i: (j, m, b) of `copies`.

    A copy of a copy follows the first of them. `lower` and `upper` `(n_bodies,)` are the limits of each joint by itself.
    """
    own = [i for i in range(len(names)) if i not in copies]
    driver, multiplier, offset = list[int](), list[float](), list[float]()
    for i in range(len(names)):
        m, b, at = 1.0, 0.0, i
        while at in copies:
            at, factor, start = copies[at]
            b += m * start
            m *= factor
        driver.append(own.index(at))
        multiplier.append(m)
        offset.append(b)
    return Coupling(tuple(names), np.array(driver), np.array(multiplier), np.array(offset), np.array(own), lower, upper)
