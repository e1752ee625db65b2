"""Robot files with the repairs of findings written into them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from armature.engine.errors import ModelError
from armature.engine.examination.finding import Finding
from armature.engine.examination.urdf_edits import with_urdf_edits
from armature.engine.model.draft.robot_draft import RobotDraft, draft_of_text


def repaired_draft(draft: RobotDraft, findings: Sequence[Finding]) -> RobotDraft:
    """A robot file under edit with what the findings' repairs write. Raises ModelError for one that it does not take."""
    for finding in findings:
        for where, value in finding.repair.edits if finding.repair is not None else ():
            draft = draft.with_value(where, value)
    return draft


def repaired_text(text: str, path: Path, findings: Sequence[Finding]) -> str:
    """The text of a robot file with what the findings' repairs write, comments and everything else as they were.

    Args:
        text: what the file holds.
        path: its name, which says whether it is TOML or URDF.
        findings: of this file, as `examine` gives them; those without a repair change nothing.

    Raises:
        ModelError: a repair that this text does not take.
    """
    repairs = [finding for finding in findings if finding.repair is not None]
    for finding in repairs:
        if finding.where.file is not None and finding.where.file.name != path.name:
            raise ModelError(f"{finding.where}: this value must be repaired in {finding.where.file.name}, not in {path.name}")
    if path.suffix.lower() != ".urdf":
        return repaired_draft(draft_of_text(text, path), repairs).text
    return with_urdf_edits(text, [edit for finding in repairs if finding.repair for edit in finding.repair.edits])
