"""Drafts under edits by chance: undone to the byte, and odd ones taken or refused in one line."""

from __future__ import annotations

import math

import numpy as np
import pytest

from armature import engine
from armature.engine.model.draft.new_drafts import draft_from_text
from tests.chance import seeds
from tests.engine.test_draft import EVERY_WAY, KEYS, ODD, ROBOTS, draft


@pytest.mark.parametrize("seed", seeds(4))
def test_random_edits_are_undone_to_the_byte(seed):
    rng = np.random.default_rng(seed)
    first = engine.load_robot(ROBOTS[int(rng.integers(len(ROBOTS)))])
    past = [engine.draft_of(first)]
    texts = [past[0].text]
    refused = 0
    while len(past) < 51:
        try:
            past.append(random_edit(past[-1], rng))
            texts.append(past[-1].text)
        except engine.ModelError as error:
            refused += 1
            assert refused < 500 and "\n" not in str(error)
        assert past[-1].text == texts[-1]
        again = draft_from_text(past[-1].text)
        assert np.array_equal(again.robot.packed, past[-1].robot.packed)
    while past:
        assert past.pop().text == texts.pop()


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(4))
def test_a_thousand_random_edits_are_undone_to_the_byte(seed):
    for part in range(20):
        test_random_edits_are_undone_to_the_byte(20 * seed + part)


@pytest.mark.parametrize("seed", seeds(2))
def test_odd_values_in_odd_places_are_taken_or_refused_in_one_line_and_nothing_else_changes(seed):
    rng = np.random.default_rng(seed)
    drafts = [draft_from_text(EVERY_WAY), draft("puma560"), draft("irb140")]
    for _ in range(250):
        one = drafts[int(rng.integers(3))]
        depth, k = int(rng.integers(0, 4)), int(rng.integers(one.robot.n))
        place = (*(("joints", k) if rng.random() < 0.6 else ()), *(KEYS[i] for i in rng.integers(len(KEYS), size=depth)))
        try:
            other = one.with_value(place, ODD[int(rng.integers(len(ODD)))])
        except engine.ModelError as error:
            assert "\n" not in str(error)
            continue
        assert draft_from_text(other.text).table == other.table
        others = [key for key in one.table if key != place[0] and one.table[key] != other.table.get(key)]
        assert not [key for key in others if not key.startswith("configurations")]
        assert other.line_of(place) <= other.text.count("\n") + 1


def random_edit(one: engine.RobotDraft, rng: np.random.Generator) -> engine.RobotDraft:
    n = one.robot.n
    i, j, x = int(rng.integers(n)), int(rng.integers(n)), float(np.round(rng.uniform(-2, 2), int(rng.integers(1, 16))))
    edits = [
        lambda: one.with_joint(i),
        lambda: one.without_joint(i),
        lambda: one.with_joint_moved(i, j),
        lambda: one.converted("modified" if one.table["convention"] == "standard" else "standard"),
        lambda: one.with_value(("joints", i, str(rng.choice(["a", "d", "alpha", "theta", "alpha_deg"]))), x),
        lambda: one.with_value(("joints", i, "alpha"), math.pi * int(rng.integers(-4, 5)) / 4),
        lambda: one.with_value(("joints", i, str(rng.choice(["velocity_limit", "torque_limit", "limits", "name"]))), None),
        lambda: one.with_value(("joints", i, "limits"), [-abs(x) - 3, abs(x) + 3]),
        lambda: one.with_value(("joints", i, "friction", str(rng.choice(["viscous", "stiction"]))), abs(x)),
        lambda: one.with_value(("joints", i, "mass"), abs(x)),
        lambda: one.with_value(("joints", i, "com"), [x, 0.0, -x]),
        lambda: one.with_value(("joints", i, "type"), str(rng.choice(["revolute", "prismatic"]))),
        lambda: one.with_value((str(rng.choice(["base", "tool"])), str(rng.choice(["xyz", "rpy", "rpy_deg"]))), [x, 0, 1.0]),
        lambda: one.with_value((str(rng.choice(["base", "tool", "tool_limits"])),), None),
        lambda: one.with_value(("configurations", f"pose{j}"), [0.0] * n),
        lambda: one.with_value(("remarks",), ["One", 'A "quoted" # remark']),
        lambda: one.with_value(("floor",), x),
    ]
    return edits[int(rng.integers(len(edits)))]()
