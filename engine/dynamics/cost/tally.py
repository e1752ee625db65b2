"""`Tally`: vector algebra that counts its multiplications and additions."""

from __future__ import annotations

import numpy as np

from armature.engine.rotations import skew


class Tally:
    """Does sums with small vectors and matrices as they are done by hand, zeros and ones included, and counts them."""

    def __init__(self) -> None:
        self.multiplications, self.additions = 0, 0

    @property
    def total(self) -> int:
        """Multiplications and additions together."""
        return self.multiplications + self.additions

    def count(self, multiplications: int, additions: int) -> None:
        """Work done elsewhere."""
        self.multiplications += multiplications
        self.additions += additions

    def add(self, *terms: np.ndarray) -> np.ndarray:
        """Sum of arrays of one shape."""
        self.additions += (len(terms) - 1) * np.size(terms[0])
        return sum(terms[1:], terms[0])

    def scale(self, factor: float, array: np.ndarray) -> np.ndarray:
        """Factor times an array."""
        self.multiplications += np.size(array)
        return factor * array

    def dot(self, a: np.ndarray, b: np.ndarray) -> float:
        """a · b."""
        self.count(len(a), len(a) - 1)
        return float(a @ b)

    def cross(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """a × b of two `(3,)`."""
        self.count(6, 3)
        return skew(a) @ b

    def product(self, A: np.ndarray, b: np.ndarray) -> np.ndarray:
        """A b, of a matrix with a vector or a matrix."""
        self.count(A.size * (b.size // len(b)), A.shape[0] * (A.shape[1] - 1) * (b.size // len(b)))
        return A @ b
