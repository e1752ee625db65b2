"""`Coupling`: which joints of a tree copy others (the mimic joints of URDF)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only


@dataclass(frozen=True, eq=False)
class Coupling(Frozen):
    """Positions of all joints of the tree from the n that move on their own: q_b = G q + offset, qd_b = G qd.

    Virtual work then gives tau = Gᵀ tau_b, M = Gᵀ M_b G, J = J_b G; G is constant, so C = Gᵀ C_b G with nothing added.
    Per body of the tree: `names` of its joint, `driver` the index of the independent joint it follows, `multiplier`, `offset`.
    `own` `(n,)` is the body that each independent joint itself carries.

    Source: Featherstone, Rigid Body Dynamics Algorithms, section 3.5 (explicit constraints).
    """

    names: tuple[str, ...]
    driver: np.ndarray
    multiplier: np.ndarray
    offset: np.ndarray
    own: np.ndarray

    def __post_init__(self):
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

    def ranges(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Ends `(n_bodies,)` of what the tree's joints can do while the independent ones stay in low … high `(n,)`."""
        with np.errstate(invalid="ignore"):  # 0 · inf of a joint that copies nothing
            ends = np.stack([self.position(low), self.position(high)])
        ends = np.where(np.isnan(ends), self.offset, ends)
        return ends.min(axis=0), ends.max(axis=0)
