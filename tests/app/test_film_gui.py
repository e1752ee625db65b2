"""The replay as GIF and MP4: every picture once, moving, and nothing left of what was given up."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from armature import engine
from armature.app.recording import film
from armature.app.recording.film_feature import FilmFeature
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from tests.app.dialogs import answer_the_file_dialog
from tests.app.test_import_sheet_gui import choose, type_in
from tests.time_limits import WAIT

imageio = pytest.importorskip("imageio.v2")


@pytest.fixture
def opened(make_window, tmp_path, wait_for):
    """A fall of one second is open."""
    robot = engine.load_robot("puma560")
    path = engine.simulate(robot, robot.configurations["home"], np.zeros(robot.n), 1.0, 1e-3).save(tmp_path / "fall.npz")
    window = make_window(size=(900, 700))
    window.files.open_path(str(path))
    wait_for(lambda: window.replay.replaying)
    return window


def test_a_gif_has_every_picture_and_they_move(opened, tmp_path, wait_for):
    from PIL import Image

    path = tmp_path / "fall.gif"
    opened.features[FilmFeature].start(path, rate=10, height=120)
    wait_for(path.exists, 60)
    with Image.open(path) as picture:
        assert picture.n_frames == 10 and picture.height == 120
        first = np.asarray(picture.convert("RGB"), int)
        picture.seek(9)
        last = np.asarray(picture.convert("RGB"), int)
    ink = QColor(opened.scene.theme.text).getRgb()[:3]
    assert (np.abs(first[-30:, 8:80] - ink).max(axis=2) < 80).sum() > 20, "name and time"
    assert (np.abs(first - last).max(axis=2) > 40).sum() > 100
    wait_for(lambda: opened.features[FilmFeature]._film is None)
    assert opened.replay.t == pytest.approx(1.0) and not list(tmp_path.glob(".*part*"))


def test_a_video_of_the_marked_part_at_double_speed(opened, tmp_path, wait_for):
    pytest.importorskip("imageio_ffmpeg")
    path = tmp_path / "fall.mp4"
    opened.replay.seek(0.5)
    opened.features[ReplayToolsFeature].mark(1)
    opened.replay.set_speed(2.0)
    opened.features[FilmFeature].start(path, rate=20, height=121)
    wait_for(path.exists, 60)
    with imageio.get_reader(path) as video:
        assert video.count_frames() == 5 and video.get_data(0).shape[:2] == (122, 216)


def film_count(window, find):
    bar = find(window, "film_progress")
    return bar.value(), bar.maximum()


def test_a_film_can_be_stopped_and_leaves_nothing(opened, tmp_path, find, wait_for):
    path = tmp_path / "fall.gif"
    opened.features[FilmFeature].start(path, rate=200, height=120)
    wait_for(lambda: find(opened, "film_progress").value() > 2)
    assert find(opened, "film_frames").text() == "Filming, {} of {} frames".format(*film_count(opened, find))
    find(opened, "film_cancel").click()
    assert not path.exists() and not list(tmp_path.glob(".*part*"))
    assert "stopped" in find(opened, "banner_text").text() and not find(opened, "film_progress").isVisible()


def test_what_is_not_installed_or_not_there_is_one_line(opened, tmp_path, find, wait_for, monkeypatch):
    opened.features[FilmFeature].start(tmp_path / "none" / "fall.gif", rate=5, height=60)
    wait_for(lambda: "does not exist" in find(opened, "banner_text").text())
    monkeypatch.setattr(film, "find_spec", lambda name: None)
    opened.features[FilmFeature].start(tmp_path / "fall.mp4")
    assert "pip install imageio imageio-ffmpeg" in find(opened, "banner_text").text()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (AssertionError(), "AssertionError"),
        (KeyError("codec"), "codec"),
        (RuntimeError("\n the encoder ended \n"), "the encoder ended"),
        (OSError(), "OSError"),
    ],
    ids=["nothing said", "another kind", "an empty line first", "nothing said by the system"],
)
def test_whatever_stops_the_encoder_is_told_and_leaves_no_file(tmp_path, monkeypatch, error, said):
    def broken(*_, **__):
        raise error

    monkeypatch.setattr(imageio, "get_writer", broken)
    made = film.Film(tmp_path / "fall.gif", 10)
    made._thread.join(WAIT)
    assert made.over and said in made.error and "\n" not in made.error and not list(tmp_path.iterdir())


def test_a_part_that_cannot_be_removed_still_ends_the_film(tmp_path, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(imageio, "get_writer", refused)
    monkeypatch.setattr(film.Path, "unlink", refused)
    made = film.Film(tmp_path / "fall.gif", 10)
    made._thread.join(WAIT)
    assert made.over and "Permission denied" in made.error


def test_an_encoder_that_fails_without_a_word_is_no_film_saved(opened, tmp_path, find, wait_for, monkeypatch):
    def broken(*_, **__):
        raise AssertionError

    monkeypatch.setattr(imageio, "get_writer", broken)
    opened.features[FilmFeature].start(tmp_path / "fall.gif", rate=5, height=60)
    wait_for(lambda: "No film:" in find(opened, "banner_text").text())
    assert not (tmp_path / "fall.gif").exists()


def test_a_film_ends_when_another_recording_is_opened(opened, tmp_path, wait_for):
    robot = engine.load_robot("puma560")
    other = engine.simulate(robot, robot.configurations["ready"], np.zeros(robot.n), 0.2, 1e-3).save(tmp_path / "other.npz")
    opened.features[FilmFeature].start(tmp_path / "fall.gif", rate=200, height=120)
    opened.files.open_path(str(other))
    wait_for(lambda: opened.replay.recording.duration < 0.5)
    assert opened.features[FilmFeature]._film is None and not (tmp_path / "fall.gif").exists()


def test_format_rate_and_size_are_asked_for(opened, tmp_path, find, wait_for):
    from PIL import Image

    opened.replay.set_speed(1.0)
    opened.docks.bring_up("recording")
    QTest.mouseClick(find(opened, "replay_film"), Qt.MouseButton.LeftButton)
    wait_for(lambda: find(opened, "film_dialog").isVisible())
    dialog = find(opened, "film_dialog")
    words, rate, height = (find(dialog, name) for name in ("film_words", "film_rate", "film_height"))
    choose(find(dialog, "film_kind"), "Video (MP4)")  # an earlier film of this window may have been another kind
    assert (rate.value(), height.currentText()) == (30, "1280 × 720")
    assert words.text() == "30 frames, 1.0 s at the replay speed"
    choose(find(dialog, "film_kind"), "Animated picture (GIF)")
    assert (rate.value(), height.currentText()) == (15, "640 × 360")
    type_in(rate, "8")
    choose(height, "428 × 240")
    assert words.text() == "8 frames, 1.0 s at the replay speed"
    path = tmp_path / "fall.gif"
    answer_the_file_dialog(path)
    QTest.mouseClick(find(dialog, "film_save"), Qt.MouseButton.LeftButton)
    wait_for(path.exists, 60)
    with Image.open(path) as picture:
        assert picture.n_frames == 8 and picture.size == (428, 240) and picture.info["duration"] == 120
    wait_for(find(opened, "replay_film").isEnabled)
    QTest.mouseClick(find(opened, "replay_film"), Qt.MouseButton.LeftButton)
    wait_for(lambda: find(opened, "film_dialog").isVisible())
    again = find(opened, "film_dialog")
    assert find(again, "film_kind").currentData() == ".gif" and find(again, "film_rate").value() == 8
    QTest.mouseClick(find(again, "film_dialog_cancel"), Qt.MouseButton.LeftButton)
    wait_for(lambda: not again.isVisible())


def test_too_many_pictures_and_what_is_not_installed_are_told_before_the_file_is_chosen(opened, find, wait_for, monkeypatch):
    opened.docks.bring_up("recording")
    opened.replay.set_speed(0.005)
    QTest.mouseClick(find(opened, "replay_film"), Qt.MouseButton.LeftButton)
    wait_for(lambda: find(opened, "film_dialog").isVisible())
    dialog = find(opened, "film_dialog")
    save, words = find(dialog, "film_save"), find(dialog, "film_words")
    choose(find(dialog, "film_kind"), "Video (MP4)")
    assert save.isEnabled()
    type_in(find(dialog, "film_rate"), "110")
    assert "exceed the maximum" in words.text() and not save.isEnabled()
    monkeypatch.setattr(film, "find_spec", lambda name: None)
    type_in(find(dialog, "film_rate"), "30")
    assert "pip install imageio imageio-ffmpeg" in words.text() and not save.isEnabled()
    opened.replay.set_speed(1.0)
    opened.replay.close()
    wait_for(lambda: not dialog.isVisible())
