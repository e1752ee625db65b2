"""Pairs of links that an SRDF or companion file next to a URDF ignores, and files that are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from armature import engine
from armature.engine.errors import ModelError
from tests.engine.test_arm_shapes import MASS


def chain(folder: Path) -> Path:
    """A URDF of three links of boxes."""
    box = '<collision><geometry><box size="0.1 0.1 0.4"/></geometry></collision>'
    text = f'<robot name="chain"><link name="base">{box}</link>'
    for name, above in (("upper", "base"), ("lower", "upper")):
        text += f'<link name="{name}">{MASS}{box}</link><joint name="{name}_joint" type="continuous"><origin xyz="0 0 0.4"/>'
        text += f'<axis xyz="1 0 0"/><parent link="{above}"/><child link="{name}"/></joint>'
    path = folder / "chain.urdf"
    path.write_text(text + "</robot>")
    return path


def srdf(folder: Path, content: str) -> Path:
    path = folder / "chain.srdf"
    path.write_text(content)
    return path


def test_disabled_collisions_are_ignored_and_survive_an_export(tmp_path):
    path = chain(tmp_path)
    assert ("base", "lower") in engine.collision(engine.load_robot(path), "home").pair_names
    srdf(tmp_path, '<robot name="chain"><group name="g"/><disable_collisions link1="lower" link2="base" reason="Never"/></robot>')
    robot = engine.load_robot(path)
    assert robot.ignored_contacts == (("lower", "base"),)
    assert engine.collision(robot, "home").pair_names == ()
    assert engine.collision_pairs(robot, samples=20).ignored == (("base", "lower"),)
    engine.save_robot(robot, tmp_path / "copy.urdf")
    assert engine.load_robot(tmp_path / "copy.urdf").ignored_contacts == (("lower", "base"),)


def test_a_companion_adds_pairs(tmp_path):
    path = chain(tmp_path)
    (tmp_path / "chain.armature.toml").write_text('[collision]\nignore = [["base", "lower"]]\n')
    assert engine.load_robot(path).ignored_contacts == (("base", "lower"),)
    (tmp_path / "chain.armature.toml").write_text('[collision]\nignore = [["base", "hand"]]\n')
    with pytest.raises(ModelError, match=r"collision.ignore\[0\]: 'hand' is not a link; valid are base, upper, lower, floor"):
        engine.load_robot(path)


def test_unknown_links_are_reported(tmp_path):
    path = chain(tmp_path)
    srdf(tmp_path, '<robot name="chain"><disable_collisions link1="hand" link2="base"/></robot>')
    robot = engine.load_robot(path)
    assert robot.ignored_contacts == ()
    assert "chain.srdf names links that the URDF does not have: hand." in robot.remarks


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "empty"),
        ("<robot", "line 1"),
        ("<srdf/>", "<robot>"),
        ('<robot><disable_collisions link1="base"/></robot>', "has no link2"),
        ('<robot><disable_collisions link1="base" link2="base"/></robot>', "names link 'base' twice"),
        ('<robot><disable_collisions link1="base" link2="&#10;"/></robot>', "printable name"),
        ('<!DOCTYPE robot [<!ENTITY a "b">]><robot><disable_collisions link1="&a;" link2="base"/></robot>', "DOCTYPE"),
    ],
)
def test_bad_files_get_one_line(tmp_path, content, problem):
    path, bad = chain(tmp_path), srdf(tmp_path, content)
    with pytest.raises(ModelError) as refused:
        engine.load_robot(path)
    message = str(refused.value)
    assert message.startswith(f"{bad}: ") and problem in message and "\n" not in message
