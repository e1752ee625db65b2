"""What every format does with the rows of a running recording: bytes to append to its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


class Encoder:
    """Turns one recording into the bytes of a file, in order: `header`, any number of `rows` and `flush`, `end`."""

    def __init__(self, columns: Sequence[str], metadata: Mapping[str, Any]):
        self.columns, self.metadata = tuple(columns), dict(metadata)

    def header(self) -> bytes:
        """What the file begins with."""
        raise NotImplementedError

    def rows(self, table: np.ndarray) -> bytes:
        """Rows `(k, columns)`, as far as the format does not hold them back until `flush`."""
        raise NotImplementedError

    def flush(self) -> bytes:
        """What was held back long enough that a killed process must not take it away."""
        return b""

    def end(self, metadata: Mapping[str, Any]) -> bytes:
        """What the file ends with; `metadata` as it is now."""
        return b""
