"""Findings of the model check, as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from armature.engine.examination.finding import DOUBTFUL, Finding

WIDTH, INDENT = 130, " " * 12
GRADES = {DOUBTFUL: "warning"}


def found_lines(name: str, findings: Sequence[Finding]) -> list[str]:
    """Each finding with its place, figure, cause and repair, a line each."""
    if not findings:
        return [f"{name}: no problems found in its parameters"]
    count = len(findings)
    lines = [f"{name}: {count} finding{'s' if count > 1 else ''} on its parameters"]
    for finding in findings:
        lines.append(f"  {GRADES.get(finding.grade, finding.grade):<10}{finding.where}: {finding.rule}")
        told = [f"{finding.figure}.", f"{finding.cause}."]
        told += [f"{finding.repair}."] if finding.repair else []
        lines += [row for text in told for row in textwrap.wrap(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)]
    return lines
