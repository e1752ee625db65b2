"""The wires between document, simulation, view and panels of one window."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.main_window import MainWindow


def wire(window: MainWindow):
    """Connect the parts of `window`; they know nothing of each other."""
    _wire_document(window)
    _wire_recordings(window)
    _wire_view(window)


def _wire_document(window: MainWindow):
    document = window.document
    document.robot_changed.connect(window.on_robot)
    document.q_changed.connect(window.on_q)
    document.q_edited.connect(window.joints.set_q)
    document.q_edited.connect(lambda _: window.recordings.close_replay())  # a hand on the arm ends the replay
    window.joints.joint_edited.connect(document.edit_joint)
    window.readouts.changed.connect(window.on_readout)
    window.clock.tick.connect(window.replay.advance)
    for refresh in (window.readouts.refresh, window.kinematics.refresh, window.joints.refresh):
        window.clock.reading.connect(refresh)
    window.kinematics.thresholds_edited.connect(
        lambda warn, stop: window.preferences.set(warn_condition=warn, stop_condition=stop)
    )


def _wire_recordings(window: MainWindow):
    window.files.message.connect(window.banner.show_message)
    window.recordings.replaying_changed.connect(lambda on: on and window.docks.bring_up("recording"))
    window.replay.moved.connect(lambda t, _: window.plots.show_cursor(window.replay.recording.t[0] + t))
    window.recording.format_chosen.connect(lambda suffix: window.preferences.set(recording_format=suffix))


def _wire_view(window: MainWindow):
    scene = window.scene
    window.joints.joint_hovered.connect(scene.highlight_joint)
    scene.file_dropped.connect(window.files.open_path)
