"""`armature compare`: the table of `armature.compare`."""

from __future__ import annotations

import pytest

import armature as engine
from tests.app.test_cli import refused


def test_the_table_is_that_of_the_function(armature):
    one, other = engine.load_robot("puma560"), engine.load_robot("ur5e")
    assert armature("compare", "puma560", "ur5e") == (0, engine.compare(one, other).text.splitlines(), [])
    way = engine.load_trajectory("pick_place_puma560", one)
    code, out, _ = armature("compare", "puma560", "puma560", "--trajectory", "pick_place_puma560", "--cell", "table")
    table = engine.compare(one, one, way, cell=engine.load_cell("table"))
    assert code == 0 and out == table.text.splitlines() and any("motor work" in line for line in out)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["puma560"], "required: B"),
        (["puma560", "nope"], "no robot of this name"),
        (["puma560", "panda", "--trajectory", "pick_place_puma560"], "puma560 and panda have 6 and 7 joints"),
        (["puma560", "panda", "--drive", "tool"], "--drive and --cell need --trajectory"),
        (["puma560", "panda", "--cell", "table"], "--drive and --cell need --trajectory"),
        (["puma560", "panda", "--trajectory", "p", "--drive", "power"], "invalid choice: 'power'"),
    ],
)
def test_bad_input_is_reported_in_one_line(armature, arguments, text):
    assert text in refused(armature, "compare", *arguments)
