"""README: a run is recorded and replayed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint

from armature import engine
from armature.app.recording.film import missing
from armature.engine.recording.recording_recovery import find_recoverable
from tests.app.dialogs import OPEN, answer_the_file_dialog
from tests.app.readme_walk.walk import CTRL, Key


def record_it(walk):
    window, simulation = walk.window, walk.window.simulation
    formats = walk.find("recording_format")
    assert {formats.itemData(k) for k in range(formats.count())} == {"csv", "npz", "mat", "mcap"}
    walk.key(Key.Key_R, CTRL)
    walk.wait_for(lambda: simulation.recording is not None)
    assert simulation.recording.suffix == ".csv"
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: simulation.running and simulation.latest.rows > 300)
    left = Path(str(simulation.recording) + ".part")
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: not simulation.running)
    killed = left.read_bytes() if left.exists() else b""
    walk.key(Key.Key_R, CTRL)
    walk.wait_for(lambda: window.recordings.last_path is not None and simulation.recording is None)
    made = window.recordings.last_path
    recording = engine.load_recording(made)
    assert len(recording) > 250 and np.allclose(np.diff(recording.t), 1e-3)
    if killed:  # what a killed process would have left is found at the next start
        left.with_name("killed.csv.part").write_bytes(killed)
        assert [one.path.name for one in find_recoverable(made.parent)] == ["killed.csv.part"]
        left.with_name("killed.csv.part").unlink()
    window.docks.bring_up("recording")
    walk.click("recording_replay_last")
    walk.wait_for(lambda: window.replay.replaying)
    replay_it(walk, made, len(recording))


def replay_it(walk, made: Path, rows: int):
    window, replay = walk.window, walk.window.replay
    walk.key(Key.Key_Right)
    assert replay.row == 1
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: replay.playing and replay.row > 20)
    walk.key(Key.Key_Space)
    assert not replay.playing and not window.simulation.running
    walk.key(Key.Key_Minus)
    assert replay.speed == 0.5
    walk.key(Key.Key_Backspace)
    assert replay.row == 0
    timeline = walk.find("replay_timeline")
    for mark, fraction in ((Key.Key_BracketLeft, 0.3), (Key.Key_BracketRight, 0.7)):
        walk.click(timeline, QPoint(round(8 + fraction * (timeline.width() - 16)), timeline.height() // 2))
        assert replay.t == pytest.approx(fraction * replay.recording.duration, rel=0.05)
        walk.key(mark)
    part = made.with_name("puma560 part.csv")
    answer_the_file_dialog(part)
    walk.click("replay_trim")
    walk.wait_for(lambda: part.exists() and "Saved" in window.banner.text.text())
    assert 0 < len(engine.load_recording(part)) < rows
    answer_the_file_dialog(part, OPEN)
    walk.click("replay_compare")
    walk.wait_for(lambda: walk.find("compared_0").isVisible())
    walk.click("replay_verify")
    walk.wait_for(lambda: "last bit" in walk.find("replay_result").text(), 60)
    assert walk.find("replay_film").isEnabled()
    if not missing(Path("film.gif")):
        walk.click("replay_film")
        kind = walk.find("film_kind")
        kind.setFocus()
        walk.key(Key.Key_Down)
        answer_the_file_dialog(made.with_name("film.gif"))
        walk.click("film_save")
        walk.wait_for(lambda: made.with_name("film.gif").exists() and walk.find("replay_film").isEnabled(), 60)
    window.scene.setFocus()
    walk.key(Key.Key_Escape)  # what is laid over goes first
    assert window.replay.replaying and not len(window.scene.stage.ghosts.bodies)
    walk.key(Key.Key_Escape)
    assert not window.replay.replaying
    answer_the_file_dialog(made, OPEN)
    walk.key(Key.Key_O, CTRL)
    walk.wait_for(lambda: window.replay.replaying)
    walk.key(Key.Key_Escape)
    assert not window.replay.replaying
