"""Screenshots of the window: at once, to the clipboard, and with the dialog's choices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from armature.app.pictures.screenshots import ScreenshotsFeature, written
from armature.app.state.choices.screenshot_options import ScreenshotOptions
from armature.app.state.settings import Settings, decode, encode
from armature.engine import EngineError
from tests.app.scenes import pixels, shown_view

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def test_ctrl_p_saves_at_once_and_never_over_another(window, wait_for, press, tmp_path):
    for _ in range(2):
        press(window, Qt.Key.Key_P, CTRL)
        wait_for(lambda: "Saved" in window.banner.text.text() and not window.features[ScreenshotsFeature].busy)
        window.banner.text.clear()
    pictures = list((tmp_path / "pictures").iterdir())
    assert len(pictures) == 2 and all(p.name.startswith("puma560") for p in pictures)
    image = QImage(str(pictures[0]))
    assert (image.width(), image.height()) == (1920, 1200)


def test_the_clipboard_gets_what_the_dialog_says(window, press, find):
    window.actions_["screenshot_options"].trigger()
    dialog = find(window, "screenshot_dialog")
    dialog.preset.setCurrentText("Custom size")
    dialog.width_.setValue(400)
    dialog.height_.setValue(250)
    dialog.transparent.click()
    dialog.scale.setCurrentIndex(1)
    assert "800 × 500 pixels" in dialog.words.text()
    dialog.close()
    press(window, Qt.Key.Key_C, CTRL | SHIFT)
    image = QApplication.clipboard().image()
    assert (image.width(), image.height()) == (800, 500)
    assert image.pixelColor(3, 3).alpha() == 0
    chosen = ScreenshotOptions(400, 250, 2, True, False)
    assert decode(encode(window.preferences.now)).screenshot == chosen


def test_words_about_the_picture_are_whole_in_large_letters(make_window, find, wait_for):
    window = make_window(size=(1024, 700), text_scale=150)
    window.actions_["screenshot_options"].trigger()
    dialog, words = find(window, "screenshot_dialog"), find(window, "screenshot_words")
    wait_for(dialog.isVisible)
    dialog.resize(dialog.minimumWidth(), dialog.height())  # as on a small screen

    def are_whole() -> bool:
        room = words.fontMetrics().boundingRect(words.contentsRect(), Qt.TextFlag.TextWordWrap, words.text())
        return words.contentsRect().contains(room)

    wait_for(lambda: dialog.width() == dialog.minimumWidth() and are_whole())
    dialog.close()


def test_as_in_the_window_with_a_caption(make_window):
    window = make_window("scara", screenshot=ScreenshotOptions(0, 0, caption=True))
    feature = window.features[ScreenshotsFeature]
    plain, size = pixels(window.scene.render_image(window.scene.deviceWidth(), window.scene.deviceHeight())), window.scene.size()
    seen = pixels(feature.picture())
    assert seen.shape[:2] == (size.height(), size.width())
    changed = np.abs(seen - plain).max(axis=2) > 40
    assert changed[-60:].sum() > 100 and not changed[: size.height() // 2].any()


def test_what_cannot_be_written_is_one_line_and_nothing_is_lost(window, wait_for, tmp_path):
    feature = window.features[ScreenshotsFeature]
    window.preferences.set(screenshot=ScreenshotOptions(64, 48))
    told = []
    window.files.message_about.connect(lambda _, kind, text: told.append((kind, text)))
    (tmp_path / "folder.png").mkdir()
    for path, words in ((tmp_path / "no" / "x.png", "does not exist"), (tmp_path / "folder.png", "is a folder")):
        told.clear()
        feature.save_to(path)
        wait_for(lambda: told)
        assert told[0][0] == "error" and words in told[0][1] and "\n" not in told[0][1]
    window.preferences.set(screenshot=ScreenshotOptions(16000, 16000))
    told.clear()
    assert feature.picture() is None
    assert told[0][0] == "error" and "million pixels" in told[0][1]


def test_an_old_picture_is_replaced_only_by_a_whole_one(qapp, tmp_path, monkeypatch):
    path = tmp_path / "old.png"
    image = QImage(8, 8, QImage.Format.Format_RGB888)
    image.fill(0)
    written(image, path)
    before = path.read_bytes()
    with pytest.raises(EngineError, match="could not be drawn"):
        written(QImage(), path)
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["old.png"]


def test_tiles_fit_together(qtbot, monkeypatch):
    view = shown_view(qtbot, "puma560", size=(400, 300))
    whole = pixels(view.render_image(600, 410))
    monkeypatch.setattr("armature.app.scene.gl.offscreen_picture.TILE", 128)
    tiled = pixels(view.render_image(600, 410))
    assert (np.abs(whole - tiled).max(axis=2) > 6).mean() < 0.002


@pytest.mark.parametrize(
    "bad", ['"screenshot": 5', '"screenshot": {"width": 5}', '"screenshot": {"scale": 9}', '"screenshot": {"caption": "yes"}']
)
def test_bad_options_are_refused(bad):
    text = encode(replace(Settings(), screenshot=ScreenshotOptions()))
    start = text.index('"screenshot": {')
    with pytest.raises(ValueError, match="screenshot"):
        decode(text[:start] + bad + text[text.index("}", start) + 1 :])
