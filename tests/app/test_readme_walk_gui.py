"""README's first five minutes, walked in one window from top to bottom by mouse and keys: every sentence holds."""

from __future__ import annotations

from pathlib import Path

from tests.app.kept_window import AS_IT_STARTS
from tests.app.readme_walk.arms import open_another_arm, see_where_the_table_comes_from
from tests.app.readme_walk.falling import let_it_fall
from tests.app.readme_walk.following import let_it_follow_a_path
from tests.app.readme_walk.moving import move_it
from tests.app.readme_walk.recording import record_it
from tests.app.readme_walk.singular import make_it_singular, see_its_reach
from tests.app.readme_walk.walk import Walk

README = Path(__file__).parents[2] / "README.md"
TITLES = (
    "Move it.",
    "Make it singular.",
    "See its reach.",
    "Let it follow a path.",
    "Let it fall.",
    "See where the DH table comes from.",
    "Record it.",
    "Open another arm.",
)


def test_the_first_five_minutes_hold_from_top_to_bottom(make_window, find, wait_for, tmp_path):
    text = README.read_text(encoding="utf-8")
    assert [f"{k}. **{title}**" in text for k, title in enumerate(TITLES, start=1)] == [True] * len(TITLES)
    walk = Walk(make_window(size=AS_IT_STARTS, perspective="explore", recording_format="csv"), find, wait_for)
    walk.window.scene.setFocus()
    move_it(walk)
    make_it_singular(walk)
    see_its_reach(walk)
    let_it_follow_a_path(walk)
    let_it_fall(walk)
    see_where_the_table_comes_from(walk)
    record_it(walk)
    open_another_arm(walk, tmp_path)
