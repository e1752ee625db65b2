"""Robots by picture: the chooser, the pictures, and what the window tells of the open arm."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QImage
from PySide6.QtTest import QTest

from armature import engine
from armature.app.robots.feature import RobotsFeature
from armature.app.robots.robot_cards import PICTURE, RobotCards, in_two_lines
from armature.app.robots.robot_catalogue import EXAMPLES, GROUPS, INDUSTRIAL, OWN, TEXTBOOK, Entry, Place, read, urdf_files
from armature.app.robots.thumbnails import Thumbnails, thumbnail_name
from armature.engine.files import shipped
from tests.app.double_click import double_click
from tests.engine.example_robots import REFUSED

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def own(tmp_path):
    """A robot's file of a person's own."""
    file = tmp_path / "mine.toml"
    text = engine.load_robot("rp").source.read_text().replace('name        = "rp"', 'name        = "mine"')
    file.write_text(text.replace('"RP arm"', '"Arm of mine"'))
    return file


def test_every_shipped_robot_has_its_picture_and_there_are_no_others(tmp_path):
    files = [shipped("robots") / f"{name}.toml" for name in engine.shipped_robots()]
    for file in files:
        image = QImage.fromData(Thumbnails(tmp_path).find(file))
        assert image.width() == 320 and image.hasAlphaChannel() and image.pixelColor(0, 0).alpha() == 0, file.stem
        edges = [(x, y) for x in range(320) for y in (0, 239)] + [(x, y) for y in range(240) for x in (0, 319)]
        assert max(image.pixelColor(*edge).alpha() for edge in edges) <= 8, f"{file.stem}: an edge cuts the shadow"
    there = {path.name for path in shipped("assets", "thumbnails").glob("*.png")}
    assert there == {thumbnail_name(file) for file in files}, "draw them anew with scripts/gallery.sh"


def test_the_chooser_shows_groups_names_joints_and_pictures_and_opens_what_is_taken(make_window, find, wait_for, own, tmp_path):
    window = make_window("puma560", recent_files=(str(own), "gone.toml", "run.csv"))
    feature = window.features[RobotsFeature]
    thumbnails = feature.thumbnails = Thumbnails(tmp_path / "thumbnails")
    assert find(window, "robot_title").text() == "Puma 560"
    assert "Unimation" in find(window, "robot_description").text()
    assert "Armstrong" in find(window, "robot_sources").text() and "as published" in find(window, "robot_remarks").text()

    QTest.mouseClick(find(window, "toolbar_robots"), LEFT)
    chooser = find(window, "robot_chooser")
    wait_for(lambda: not feature.reader.busy, 60)
    cards = chooser.cards
    rows = [cards.model().index(row, 0) for row in range(cards.model().rowCount())]
    headings = [row.data() for row in rows if row.data(Qt.ItemDataRole.UserRole) is None]
    groups = [TEXTBOOK, INDUSTRIAL, OWN] + [EXAMPLES] * bool(urdf_files())
    assert headings == [group for group in GROUPS if group in groups]
    told = {row.data(Qt.ItemDataRole.AccessibleTextRole) for row in rows}
    assert {
        "Puma 560, 6 joints",
        "ABB IRB 140, 6 joints, no masses",
        "Spherical pendulum, 2 joints",
        "Arm of mine, 2 joints",
    } <= told
    refused = {e.place.file.stem for e in (row.data(Qt.ItemDataRole.UserRole) for row in rows) if e is not None and e.refusal}
    assert refused <= set(REFUSED) and (refused or not urdf_files())
    assert cards.current().place.name == "puma560" and chooser.details.title.text() == "Puma 560"
    wait_for(lambda: cards.viewport().rect().contains(cards.visualRect(cards.currentIndex()).center()))
    pictured = {place.name for place, picture in cards._pictures.items() if picture is not None}
    assert set(engine.shipped_robots()) <= pictured

    QTest.keyClicks(chooser.filter, "mine")  # the picture of a file that came into sight is drawn
    place = cards.current().place
    assert place.file == own and thumbnails.find(own) is None
    wait_for(lambda: cards._pictures.get(place) is not None, 90)
    assert thumbnails.find(own) is not None
    own.write_text(own.read_text() + "# another file\n")
    assert thumbnails.find(own) is None

    chooser.filter.clear()
    QTest.keyClicks(chooser.filter, "pendulum")
    first = cards.current().place.name
    QTest.keyClick(chooser.filter, Qt.Key.Key_Down)  # over a heading, where there is another group
    assert bool(urdf_files()) == (cards.current().place.name != first)
    QTest.keyClick(chooser.filter, Qt.Key.Key_Up)
    at = cards.visualRect(cards.currentIndex()).center()
    QTest.mouseClick(cards.viewport(), LEFT, pos=at)
    double_click(cards.viewport(), LEFT, pos=at)
    QTest.mouseRelease(window.scene, LEFT)  # the one that the chooser, which closes before, does not get
    wait_for(lambda: window.document.robot.name == "double_pendulum")
    assert first == "double_pendulum" and not chooser.isVisible()
    assert find(window, "robot_title").text() == "Double pendulum" and find(window, "toolbar_robots").text().startswith(
        "Double pen"
    )


def test_a_title_of_two_lines_stands_below_the_picture(qtbot):
    cards, place = RobotCards(), Place(shipped("robots") / "ur10e.toml", "ur10e")
    qtbot.addWidget(cards)
    cards.resize(400, 400)
    font = cards.font()
    font.setPointSizeF(1.5 * font.pointSizeF())
    cards.setFont(font)
    cards.add(Entry(place, engine.load_robot("ur10e")))
    picture = QImage(PICTURE, QImage.Format.Format_RGB32)
    picture.fill("red")
    cards.set_picture(place, picture)
    seen = cards.grab().toImage()
    red = sum(seen.pixelColor(x, y).name() == "#ff0000" for x in range(seen.width()) for y in range(seen.height()))
    assert red == PICTURE.width() * PICTURE.height()


def test_a_long_title_keeps_the_type_of_the_arm(qapp):
    metrics = QFontMetrics(qapp.font())
    width = metrics.horizontalAdvance("Universal Robots")
    assert in_two_lines("Puma 560", metrics, width) == ["Puma 560"]
    first, last = in_two_lines("Universal Robots UR10e", metrics, width)
    assert f"{first} {last}" == "Universal Robots UR10e" and last.endswith("UR10e") and metrics.horizontalAdvance(last) <= width
    assert in_two_lines("Unpronounceable", metrics, 3) == ["Unpronounceable"]


def test_examples_that_call_themselves_the_same_are_told_apart_by_their_files(own):
    files = [own.with_name(f"{stem}.toml") for stem in ("whole", "without_hand")]
    for file in files:
        file.write_text(own.read_text())
    entries = [read(Place(file, str(file), EXAMPLES)) for file in files]
    assert [entry.title for entry in entries] == ["whole", "without_hand"]
    assert all(entry.fits("mine") for entry in entries), "found by the robot's name, too"


def test_a_file_that_cannot_be_read_is_grey_and_says_why(make_window, find, wait_for, tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text('name = "bad"\n')
    window = make_window("rp", recent_files=(str(bad),))
    window.actions_["robots"].trigger()
    chooser = find(window, "robot_chooser")
    QTest.keyClicks(chooser.filter, "bad")
    wait_for(lambda: chooser.cards.current() is not None)
    assert "convention" in chooser.details.description.text() and not chooser.open_button.isEnabled()
    QTest.keyClick(chooser.filter, Qt.Key.Key_Return)
    assert chooser.isVisible() and window.document.robot.name == "rp"
    QTest.keyClick(chooser, Qt.Key.Key_Escape)
    assert not chooser.isVisible()
