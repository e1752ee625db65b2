"""See-through arms in the window: what they are is said, and they go: with the cross, with Escape, with their panel."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature.app.scene.arm.ghost_item import GhostLook
from armature.app.trajectory.feature import TrajectoryFeature


def test_a_ghost_is_named_and_goes(make_window, find, wait_for, press):
    window = make_window("puma560", perspective="singularity")
    ghosts, caption, text = (window.scene.stage.ghosts, find(window, "ghost_caption"), find(window, "ghost_caption_text"))
    show = find(window, "nearest_ghost")

    def click(name: str):
        QTest.mouseClick(find(window, name), Qt.MouseButton.LeftButton)

    def appear():
        click("nearest_ghost")
        wait_for(lambda: len(ghosts.bodies) == 1 and caption.isVisible() and text.text() == "Nearest singular pose")
        assert show.isChecked() and ghosts.look is GhostLook.SINGULAR
        assert window.scene.geometry().contains(caption.geometry())

    def gone() -> bool:
        return not len(ghosts.bodies) and not caption.isVisible() and not show.isChecked()

    assert not caption.isVisible()
    wait_for(show.isEnabled)
    appear()
    click("ghost_dismiss")
    assert gone()
    appear()
    window.scene.setFocus()
    press(window.scene, Qt.Key.Key_Escape)
    assert gone()
    appear()
    window.docks.bring_up("kinematics")  # another tab in front
    wait_for(gone)
    window.docks.bring_up("singularity")
    wait_for(show.isEnabled)
    appear()
    window.actions_["perspective_explore"].trigger()
    wait_for(gone)

    # a trajectory's has another look and other words, and the cross takes it back to the beginning
    window.actions_["perspective_trajectory"].trigger()
    find(window, "trajectory_example").trigger()
    slider, trajectory = find(window, "trajectory_time"), window.features[TrajectoryFeature].model
    wait_for(lambda: trajectory.preview is not None)
    slider.setValue(400)
    wait_for(lambda: len(ghosts.bodies) == 1 and "Trajectory" in text.text() and caption.isVisible())
    assert ghosts.look is GhostLook.AHEAD
    click("ghost_dismiss")
    assert not len(ghosts.bodies) and not caption.isVisible() and slider.value() == 0

    # another robot has none of them
    slider.setValue(400)
    wait_for(caption.isVisible)
    window.document.open_robot("scara")
    wait_for(lambda: window.document.robot.name == "scara" and not caption.isVisible())
