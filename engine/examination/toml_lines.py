"""The lines of a TOML file on which the values of findings stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from armature.engine.examination.finding import Finding
from armature.engine.model.draft.draft_text import line_of
from armature.engine.model.draft.text_parts import split


def with_lines(findings: list[Finding], text: str, table: Mapping[str, Any]) -> list[Finding]:
    """The findings of a robot file with the lines of its text; `table` is what the text holds."""
    parts = split(text)
    return [
        replace(finding, where=replace(finding.where, line=line_of(parts, table, finding.where.key)))
        if finding.where.key
        else finding
        for finding in findings
    ]
