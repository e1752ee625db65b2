"""A row of the benchmark table, and the table."""

from __future__ import annotations

from dataclasses import dataclass

TITLES = ("what", "ours", "peer", "ratio", "bar", "")


@dataclass(frozen=True)
class Row:
    """One measurement. `ratio` says how many times better ours is than the peer; `passed` is None where there is no bar."""

    what: str
    ours: str
    peer: str = ""
    ratio: float | None = None
    bar: str = ""
    passed: bool | None = None

    def cells(self) -> tuple[str, ...]:
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}x"
        verdict = {True: "pass", False: "FAIL", None: ""}[self.passed]
        return self.what, self.ours, self.peer, ratio, self.bar, verdict


def table(rows: list[Row]) -> str:
    """The rows in aligned columns under their titles."""
    lines = [TITLES, *(row.cells() for row in rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(TITLES))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([text[0], "-" * max(map(len, text)), *text[1:]])


def seconds(value: float) -> str:
    """A duration with the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
