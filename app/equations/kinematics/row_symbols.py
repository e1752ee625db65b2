"""The matrix of a row of a DH table, and of a joint's motion, in symbols."""

from __future__ import annotations

from armature.engine.model.dh_table import STANDARD

Symbols = tuple[tuple[str, ...], ...]

LAST = ("0", "0", "0", "1")


def row_matrix(convention: str) -> Symbols:
    """A_i of any row, c and s for cosine and sine."""
    c, s = r"c_{\theta_i}", r"s_{\theta_i}"
    if convention == STANDARD:
        ca, sa = r"c_{\alpha_i}", r"s_{\alpha_i}"
        return (
            (c, f"-{s} {ca}", f"{s} {sa}", f"a_i {c}"),
            (s, f"{c} {ca}", f"-{c} {sa}", f"a_i {s}"),
            ("0", sa, ca, "d_i"),
            LAST,
        )
    ca, sa = r"c_{\alpha_{i-1}}", r"s_{\alpha_{i-1}}"
    return (
        (c, f"-{s}", "0", "a_{i-1}"),
        (f"{s} {ca}", f"{c} {ca}", f"-{sa}", f"-{sa} d_i"),
        (f"{s} {sa}", f"{c} {sa}", ca, f"{ca} d_i"),
        LAST,
    )


def motion_matrix(slides: bool) -> Symbols:
    """Q_i of a joint, a turn about its axis z or a way along it."""
    if slides:
        return (("1", "0", "0", "0"), ("0", "1", "0", "0"), ("0", "0", "1", "q_i"), LAST)
    c, s = "c_i", "s_i"
    return ((c, f"-{s}", "0", "0"), (s, c, "0", "0"), ("0", "0", "1", "0"), LAST)
