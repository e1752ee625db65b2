"""What a killed run left is offered at the next start, and nothing happens to it unasked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from tests.time_limits import PROCESS

KILLED = """
import os, signal, sys
import numpy as np
from armature import engine
from armature.engine.recording.recording_files import PartFile
from pathlib import Path
whole = engine.load_recording(sys.argv[1])
part = PartFile(Path(sys.argv[2]), whole.columns, whole.metadata)
part.rows(whole.table(0, 150))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def left(tmp_path):
    """The folder of recordings after a process that recorded was killed; the recording it would have been."""
    robot = engine.load_robot("puma560")
    whole = engine.simulate(robot, robot.configurations["home"], np.zeros(robot.n), 0.2, 1e-3)
    source, folder = whole.save(tmp_path / "whole.npz"), tmp_path / "recordings"
    folder.mkdir()
    command = [sys.executable, "-c", KILLED, str(source), str(folder / "run.npz")]
    result = subprocess.run(command, cwd=Path(__file__).parents[2], check=False, timeout=PROCESS)
    assert result.returncode != 0 and (folder / "run.npz.part").exists()
    return folder, whole


def test_what_a_killed_run_left_is_offered_and_recovered(left, make_window, find, wait_for):
    folder, whole = left
    window = make_window(anew=True, recording_folder=str(folder))  # it looks when it comes up
    wait_for(lambda: "run.npz.part" in find(window, "banner_text").text())
    assert not (folder / "run.npz").exists()
    find(window, "banner_recover").click()
    wait_for(lambda: "Recovered run.npz" in find(window, "banner_text").text())
    recovered = engine.load_recording(folder / "run.npz")
    assert np.array_equal(recovered.q, whole.q[:150]) and not (folder / "run.npz.part").exists()


def test_later_keeps_it_and_the_menu_offers_it_again_to_be_deleted(left, make_window, find, wait_for):
    folder, _ = left
    window = make_window(anew=True, recording_folder=str(folder))  # it looks when it comes up
    wait_for(lambda: "run.npz.part" in find(window, "banner_text").text())
    find(window, "banner_later").click()
    assert not find(window, "banner").isVisible() and (folder / "run.npz.part").exists()
    window.actions_["recover"].trigger()
    wait_for(lambda: find(window, "banner").isVisible())
    find(window, "banner_delete").click()
    wait_for(lambda: "Deleted" in find(window, "banner_text").text())
    assert not (folder / "run.npz.part").exists()
    window.actions_["recover"].trigger()
    wait_for(lambda: "nothing to recover" in find(window, "banner_text").text())
