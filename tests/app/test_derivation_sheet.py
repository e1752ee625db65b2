"""Derivation sheets: what stands on them is the engine's, as a page or on paper, from the command line and from the window."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from lxml import html
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app import cli
from armature.app.equations.sheet.blocks import Display, Equation, Heading, Math, Table
from armature.app.equations.sheet.derivation import derivation
from armature.app.equations.sheet.feature import DerivationFeature
from armature.app.state.units import significant
from tests.app.dialogs import answer_the_file_dialog

LEFT = Qt.MouseButton.LeftButton


def sheet_of(name, qd=0.4, significance=0.01):
    """The sheet at home, in a motion."""
    robot = engine.load_robot(name) if isinstance(name, str) else name
    q, rates = robot.configurations["home"], np.full(robot.n, qd)
    return robot, (q, rates, 2 * rates), derivation(robot, (q, rates, 2 * rates), b"", significance)


def words(sheet):
    """All words, formulas left out."""

    def said(line):
        return " ".join(part for part in line if isinstance(part, str))

    found = []
    for block in sheet.blocks:
        match block:
            case Heading(text):
                found.append(text)
            case Equation(_, right):
                found.append(said(right))
            case Table(titles, rows):
                found += [said(cell) for row in (titles, *rows) for cell in row]
            case Display():
                pass
            case _:
                found.append(said(block.line))
    return "\n".join(found)


def equations_of(sheet):
    """The number at the end of each equation, by its left side in LaTeX."""
    return {
        block.left[0].latex: re.search(r"<b>(.*)</b>", block.right[-1])[1]
        for block in sheet.blocks
        if isinstance(block, Equation) and isinstance(block.left[0], Math)
    }


def shown_matrices(sheet):
    """All matrices of numbers, as text."""
    matrices = [matrix for block in sheet.blocks if isinstance(block, Display) for _, matrix in block.pairs]
    return [tuple(cell for row in matrix.rows for (cell,) in row) for matrix in matrices if isinstance(matrix.rows[0][0][0], str)]


def as_shown(values):
    scale = np.abs(values).max()
    return tuple(significant(float(x), 4, scale) for x in np.ravel(values))


@pytest.mark.parametrize("name", ["rp_offset", "puma560"])
def test_every_number_is_the_engines(name):
    robot, (q, qd, qdd), sheet = sheet_of(name)
    matrices, found = shown_matrices(sheet), equations_of(sheet)
    for values in (
        engine.frame_pose(robot, q),
        engine.jacobian(robot, q),
        engine.mass_matrix(robot, q),
        engine.coriolis_matrix(robot, q, qd),
        engine.gravity_torque(robot, q),
    ):
        assert as_shown(values) in matrices
    steps = engine.lagrange_steps(robot, q, qd, qdd)
    if name == "rp_offset":
        assert found["K_{2}"] == significant(steps.K[1]) and found["P_{1}"] == significant(steps.P[0])
        assert found[r"\tau_{1}"] == significant(steps.tau[0])
        assert "eq. 18" in words(sheet) and f"<b>{significant(2 * 2.0 * 0.8 * 0.16)} N·m</b>" in words(sheet)
    else:
        assert found["M_{12}"] == significant(engine.mass_matrix(robot, q)[0, 1])
        assert "1 % of the largest value" in words(sheet) and "The omitted terms" in words(sheet)
        assert "Det J is a product of 3 factors" in words(sheet)
    assert significant(engine.christoffel(robot, q)[0, 0, 1]) in [
        value for left, value in found.items() if left.startswith("c_{112}")
    ]
    tau = engine.rnea(robot, q, qd, qdd)
    assert words(sheet).count(significant(float(tau[0]), 4, np.abs(tau).max())) >= 3  # Lagrange, the recursion, their comparison
    for number in range(3 * robot.n + 1):
        assert re.search(rf"^{number}\. ", words(sheet), re.MULTILINE)


def test_what_is_shortened_is_not_said_to_be_equal():
    robot, _, sheet = sheet_of("puma560")
    short, full = engine.equations(robot, 0.01), engine.equations(robot, 0.0)
    signs = {
        block.left[0].latex: block.right
        for block in sheet.blocks
        if isinstance(block, Equation) and isinstance(block.left[0], Math)
    }
    seen = set()
    for i in range(6):
        for j in range(i, 6):
            right = signs.get(f"M_{{{i + 1}{j + 1}}}")
            if right is not None:
                whole = len(short.M.terms((i, j))) == len(full.M.terms((i, j)))
                sign = "=" if whole else "≈"
                assert right[0] == Math("=" if whole else r"\approx") and right[-1].startswith(sign)
                seen.add(sign)
    assert seen == {"=", "≈"}
    heads = [line[0].latex for block in sheet.blocks if isinstance(block, Display) for line, _ in block.pairs]
    at = heads.index(r"g \approx")
    assert heads[at + 1] == r"\approx" and "M =" in heads
    assert len(short.g.terms(4)) < len(full.g.terms(4))
    for sheet_in_letters in (sheet_of("scara")[2], sheet_of("puma560", significance=0.0)[2]):
        assert "≈" not in repr(sheet_in_letters.blocks) and "approx" not in repr(sheet_in_letters.blocks)


@pytest.mark.parametrize("name", ["puma560", "two_arms", "spherical_pendulum", "scara"])
def test_rounding_is_not_shown_as_a_number(name):
    _, _, sheet = sheet_of(name, qd=0.0)
    assert not re.search(r"e−[1-9]\d(?! \(rounding\))", repr(sheet.blocks))


def test_arms_of_which_something_cannot_be_told_say_why(tmp_path):
    _, _, sheet = sheet_of("irb140")
    assert "has no masses" in words(sheet) and "Recursive" not in words(sheet)
    _, _, sheet = sheet_of("two_arms")
    assert "only a square J has a determinant" in words(sheet)
    coupled = tmp_path / "mimic.urdf"
    coupled.write_text(MIMIC)
    robot, (q, qd, qdd), sheet = sheet_of(engine.load_robot(str(coupled)))
    assert "has mimic joints" in words(sheet) and "Recursive Newton–Euler" in words(sheet)
    assert {as_shown(engine.jacobian(robot, q)), as_shown(engine.mass_matrix(robot, q))} <= set(shown_matrices(sheet))
    tau = engine.rnea(robot, q, qd, qdd)
    assert significant(float(tau[0]), 4, np.abs(tau).max()) in words(sheet)
    _, _, sheet = sheet_of(replace(engine.load_robot("rp"), title="<Big & Co>", description="a < b"))
    assert sheet.title == "&lt;Big &amp; Co&gt;" and "a &lt; b" in words(sheet)


def test_the_command_writes_a_page_that_stands_alone_and_paper(qapp, tmp_path, capfd):
    page, paper = tmp_path / "rp.html", tmp_path / "rp.pdf"
    assert cli.main(["derivation", "rp_offset", str(page), "--q", "0.5,0.1", "--qd", "-0.3 0.2"]) == 0
    text = page.read_text(encoding="utf-8")
    tree = html.fromstring(text.encode())
    drawn, used = set(tree.xpath("//defs/g/@id")), {ref.removeprefix("#") for ref in tree.xpath("//use/@href")}
    assert used and used == drawn
    assert not re.findall(r'(?:src|href)="(?!#|data:)', text) and "@import" not in text
    assert tree.xpath("//img/@src")[0].startswith("data:image/png;base64,") and "−0.3 rad/s" in text
    robot = engine.load_robot("rp_offset")
    for number in as_shown(engine.mass_matrix(robot, [0.5, 0.1])):
        assert f"<td>{number}</td>" in text
    assert cli.main(["derivation", "rp_offset", str(paper)]) == 0
    data = paper.read_bytes()
    assert data.startswith(b"%PDF") and len(re.findall(rb"/Type /Page\b", data)) >= 3 and b"595" in data
    capfd.readouterr()
    for arguments, told in (
        ((str(tmp_path / "a.txt"),), ".pdf or .html"),
        ((str(tmp_path / "no" / "a.pdf"),), "does not exist"),
        ((str(page), "--significance", "120"), "--significance: 120 is not a percentage"),
        ((str(page), "--qd", "1"), "--qd: rp_offset has 2 joints"),
    ):
        assert cli.main(["derivation", "rp_offset", *arguments]) == 2
        out = capfd.readouterr().err
        assert told in out and out.count("\n") == 1


def test_from_the_menu_with_progress_cancel_and_faults(make_window, wait_for, find, tmp_path):
    window = make_window("puma560")
    wait_for(lambda: window.bench.simulation.ready)
    banner, path = window.banner, tmp_path / "puma.pdf"
    answer_the_file_dialog(path)
    window.actions_["derivation"].trigger()
    wait_for(lambda: banner.progress.isVisible() and "derivation" in banner.text.text(), 30)
    QTest.mouseClick(find(window, "banner_cancel"), LEFT)
    wait_for(lambda: not banner.isVisible())
    assert not list(tmp_path.glob("*.part")) and not path.exists()

    answer_the_file_dialog(path)
    window.actions_["derivation"].trigger()
    wait_for(lambda: banner.text.text() == f"Saved {path}", 60)
    assert path.read_bytes().startswith(b"%PDF")

    window.document.open_robot("pendulum")
    folder = tmp_path / "there"
    folder.write_text("a file, no folder")
    window.features[DerivationFeature].save(folder / "a.html")
    wait_for(lambda: "The derivation was not saved" in banner.text.text(), 60)
    assert "\n" not in banner.text.text()


MIMIC = """<robot name="pair">
  <link name="base"/>
  <joint name="one" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
  <link name="a"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <joint name="two" type="revolute"><origin xyz="0.2 0 0"/><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="9" velocity="9"/><mimic joint="one" multiplier="-2"/></joint>
  <link name="b"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
</robot>"""
