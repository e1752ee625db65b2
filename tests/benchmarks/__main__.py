"""`make bench`: measures every figure that has a bar, beside Pinocchio and MuJoCo in the same run, and prints one table.

`make bench ARGS="calls steps"` runs some sections. Nothing here asserts: timings belong to a machine and to its load.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from importlib import import_module

from tests.benchmarks.row import Row, table

SECTIONS = ("agreement", "calls", "batch", "steps", "energy", "integrators", "lagrange", "ik", "workspace", "compiling", "start")
SECTIONS += (
    "window",
    "stall",
    "singularities",
    "controlled",
    "drag",
    "overlays",
    "meshes",
    "frames",
    "formulas",
    "show",
    "blocks",
    "collision",
)


def main() -> int:
    """Runs the requested sections; 1 if one of them could not be measured."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__.splitlines()[0])
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; all when none is named")
    requested = parser.parse_args().sections or list(SECTIONS)
    if unknown := [name for name in requested if name not in SECTIONS]:
        parser.error(f"no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    rows, broken = [], 0
    for name in requested:
        started = time.perf_counter()
        print(f"{name} …", end="", flush=True, file=sys.stderr)
        try:
            rows += import_module(f"tests.benchmarks.{name}").rows()
        except Exception as error:  # a section that cannot run is a row of the table, not the end of the others
            rows.append(Row(name, f"n/a: {type(error).__name__}: {error}".splitlines()[0][:100]))
            broken += 1
        print(f" {time.perf_counter() - started:.0f} s", file=sys.stderr)
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(
        f"\n{platform.system()} {platform.machine()}, {os.cpu_count()} cores{load}, Python {platform.python_version()}; medians\n"
    )
    print(table(rows))
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
