"""The controllers that the window offers, from the files of the laws."""

from armature.app.control.offered_laws import OWN, laws
from armature.engine.control.own_law.shipped_laws import example_laws


def test_the_chooser_lists_built_in_laws_then_the_examples_with_a_title():
    built_in = ["none", "torque", "gravity", "pd", "pid", "pd-gravity", "computed-torque", "impedance", "resolved-rate"]
    assert list(laws()) == [*built_in, "recursive-least-squares", "slotine-li", OWN]
    assert [name for name, law in laws().items() if law.file] == ["recursive-least-squares", "slotine-li"]


def test_an_example_has_the_texts_of_its_file():
    law, text = laws()["slotine-li"], example_laws()["slotine_li"].read_text(encoding="utf-8")
    assert law.title == "Slotine–Li (adaptive)"
    assert f'control.equation = "{law.equation}"' in text
    assert law.words.endswith("need not converge to their true values.")


def test_the_table_shows_the_gains_of_the_tool_without_those_of_the_joints():
    assert list(laws()["impedance"].gains) == ["stiffness", "damping"]
    assert [gain.unit for gain in laws()["resolved-rate"].gains.values()] == ["1/s", "1/s", "m"]
