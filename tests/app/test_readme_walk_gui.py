"""The tour of docs/ and README's five things to try, done in one window from top to bottom by mouse and keys."""

from __future__ import annotations

import re
from pathlib import Path

from tests.app.kept_window import AS_IT_STARTS
from tests.app.readme_walk.arms import open_another_arm, see_where_the_table_comes_from
from tests.app.readme_walk.falling import let_it_fall
from tests.app.readme_walk.following import let_it_follow_a_path
from tests.app.readme_walk.moving import move_it
from tests.app.readme_walk.recording import record_it
from tests.app.readme_walk.singular import make_it_singular, see_its_reach
from tests.app.readme_walk.walk import Walk

ROOT = Path(__file__).parents[2]
TOUR = (
    "Move it",
    "Make it singular",
    "See its reach",
    "Let it follow a path",
    "Let it fall",
    "See where the DH table comes from",
    "Record it",
    "Open another arm",
)
README = ("Move it", "Make it singular", "Let it follow a path", "Let it fall", "Record it")


def test_readme_and_tour_have_the_steps_of_the_walk():
    tour, readme = ((ROOT / name).read_text(encoding="utf-8") for name in ("docs/tour.md", "README.md"))
    assert re.findall(r"^## (\d)\. (.+)$", tour, re.MULTILINE) == [(str(k), title) for k, title in enumerate(TOUR, start=1)]
    assert re.findall(r"^(\d)\. \*\*(.+)\.\*\*", readme, re.MULTILINE) == [(str(k), t) for k, t in enumerate(README, start=1)]


def test_the_tour_holds_from_top_to_bottom(make_window, find, wait_for, tmp_path):
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
