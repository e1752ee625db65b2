"""The line of a TOML file on which a value stands."""

from __future__ import annotations

import re
from dataclasses import replace

from armature.engine.examination.finding import Finding, Place
from armature.engine.model.draft.text_parts import HEAD, TABLE, Part, split


def with_lines(findings: list[Finding], text: str) -> list[Finding]:
    """The findings of a robot file with the lines of its text; those of another file stay as they are."""
    if not any(finding.where.line is None and finding.where.key for finding in findings):
        return findings
    parts = split(text)
    return [
        replace(finding, where=replace(finding.where, line=_line(parts, finding.where))) if finding.where.key else finding
        for finding in findings
    ]


def _line(parts: tuple[Part, ...], where: Place) -> int | None:
    """From 1; the line of the joint or table where it has no such key, None where there is neither."""
    root, rest = where.key[0], list(where.key[1:])
    if root == "joints" and rest and isinstance(rest[0], int):
        rows = [k for k, part in enumerate(parts) if part.is_joint]
        k, rest = (rows[rest[0]] if rest[0] < len(rows) else None), rest[1:]
    else:
        k = next((k for k, part in enumerate(parts) if part.kind == TABLE and part.root == root), None)
        if k is None:
            k, rest = next((k for k, part in enumerate(parts) if part.kind == HEAD), None), [root, *rest]
    if k is None:
        return None
    part = parts[k]
    before = sum(other.text.count("\n") for other in parts[:k]) + part.lead.count("\n")
    key = next((re.escape(str(key)) for key in rest if isinstance(key, str)), None)
    found = re.search(rf"""(?m)(?:^[ \t]*|[{{,][ \t\n]*)["']?{key}(?:_deg)?["']?[ \t]*[.=]""", part.core) if key else None
    core = part.core[: found.end()] if found else ""
    return before + core.count("\n") + 1
