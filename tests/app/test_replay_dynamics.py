"""The dynamics dock and the loads in the view while a recording is scrubbed: those of the sample that is shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.app.dynamics.feature import DynamicsFeature

PICK = Path(engine.__file__).parents[1] / "assets" / "trajectories" / "pick_place_puma560.toml"


@pytest.fixture(scope="module")
def moon():
    return engine.load_robot("puma560").with_gravity((0, 0, -1.62))


@pytest.fixture(scope="module")
def run(moon):
    """Pick and place on the moon."""
    way, law = engine.load_trajectory(PICK, moon), engine.default_gains(moon, "computed-torque")
    return way, engine.simulate(moon, way.start, None, way.duration, 1e-3, law, trajectory=way)


@pytest.fixture
def opened(make_window, run, tmp_path, wait_for):
    """Its recording open, the dynamics dock in front with all sections in sight."""
    window = make_window("puma560", size=(1500, 1500))
    window.docks.bring_up("dynamics")
    panel = window.features[DynamicsFeature].panel
    panel.conditions.header.click()
    panel._loads.header.click()
    window.actions_["show_loads"].setChecked(True)
    window.files.open_path(str(run[1].save(tmp_path / "run.npz")))
    wait_for(lambda: window.replay.replaying and window.features[DynamicsFeature].replayed.snapshot is not None)
    return window


def seek(window, run, when):
    window.replay.seek(when / run.duration)
    return window.replay.row


def number_in(label) -> float:
    return float(label.text().replace("−", "-"))


def test_torques_matrix_loads_and_energies_are_those_of_the_sample(opened, run, moon, find, wait_for):
    (way, recorded), panel = run, opened.features[DynamicsFeature].panel
    (grasp, box), (release, _) = way.payloads
    for when, held in ((grasp - 0.3, None), (grasp + 0.4, box), (release + 0.3, None)):
        k = seek(opened, recorded, when)
        q, qd, qdd, tau = (getattr(recorded, name)[k] for name in ("q", "qd", "qdd", "tau"))
        arm = moon if held is None else held.held_by(moon)
        wait_for(lambda tau=tau: np.allclose(panel.bars.motor, tau, atol=1e-9))
        assert np.allclose(panel.bars.values.sum(axis=1), tau, atol=1e-8)
        gravity = engine.gravity_torque(moon, q)
        assert any(np.allclose(column, gravity, atol=1e-9) for column in panel.bars.values.T), "under the moon's gravity"
        wait_for(lambda arm=arm, q=q: np.allclose(panel.mass_matrix.values, engine.mass_matrix(arm, q), atol=1e-12))
        loads = engine.link_loads(arm, q, qd, qdd)
        sizes = np.linalg.norm(loads[:, :3], axis=1)
        wait_for(lambda sizes=sizes: np.allclose(np.hypot(*panel.loads.numbers.values[:, :2].T), sizes, rtol=1e-6))
        wait_for(lambda loads=loads: np.allclose(opened.scene.stage.loads.loads, loads, atol=1e-9))
        assert number_in(find(opened, "energy_kinetic")) == pytest.approx(recorded.kinetic[k], abs=6e-4)
        assert number_in(find(opened, "energy_potential")) == pytest.approx(recorded.potential[k], abs=6e-4)
        on_hand = opened.scene.stage.payload.payload
        assert (on_hand is None) == (held is None) and (held is None or on_hand.mass == box.mass)
    assert abs(number_in(find(opened, "energy_motor"))) > 1.0
    assert find(opened, "energy_stop").text() == "–" and "not recorded" in find(opened, "energy_residual").text()
    assert not panel.message.isVisible()


def test_afterwards_the_simulation_is_explained_again(opened, run, find, wait_for):
    (way, recorded), panel = run, opened.features[DynamicsFeature].panel
    seek(opened, recorded, way.payloads[0][0] + 0.4)
    wait_for(lambda: opened.scene.stage.payload.payload is not None)
    find(opened, "replay_close").click()
    robot, q = opened.document.robot, opened.document.q
    wait_for(lambda: np.allclose(panel.bars.motor, engine.gravity_torque(robot, q), atol=1e-9))
    wait_for(lambda: opened.scene.stage.payload.payload is None)
    assert find(opened, "energy_stop").text() != "–"


def test_a_table_without_metadata_is_reckoned_with_the_open_robot_and_says_so(opened, run, tmp_path, find, wait_for):
    recorded = run[1]
    bare = engine.Recording.from_table(recorded.table(0, 200), recorded.joint_names, {"robot": "puma560"})
    opened.files.open_path(str(bare.save(tmp_path / "bare.npz")))
    panel = opened.features[DynamicsFeature].panel
    wait_for(panel.message.isVisible)
    assert "open robot" in panel.message.text() and "is missing" in panel.message.text()
    gravity = engine.gravity_torque(opened.document.robot, opened.document.q)
    wait_for(lambda: any(np.allclose(column, gravity, atol=1e-9) for column in panel.bars.values.T))


def test_a_sample_without_numbers_is_shown_as_unknown_and_is_no_fault(opened, run, tmp_path, find, wait_for):
    recorded, panel = run[1], opened.features[DynamicsFeature].panel
    q = recorded.q.copy()
    q[1000:2000, 2] = np.nan
    opened.files.open_path(str(replace(recorded, q=q).save(tmp_path / "gap.npz")))
    wait_for(lambda: np.isnan(opened.replay.recording.q).any() and opened.features[DynamicsFeature].replayed.snapshot is not None)
    seek(opened, recorded, 1.5)
    wait_for(lambda: find(opened, "energy_kinetic").text() == "–")
    opened.grab()
    assert np.isnan(panel.bars.motor).all() and "motor = –" in panel.bars.text(0)
    assert np.isnan(panel.mass_matrix.values).all() and panel.loads.numbers.text(0, 0) == "–"
    wait_for(lambda: not len(opened.scene.stage.loads.loads))
    k = seek(opened, recorded, 2.5)
    wait_for(lambda: np.allclose(panel.bars.motor, recorded.tau[k], atol=1e-9))
    wait_for(lambda: len(opened.scene.stage.loads.loads))
    assert find(opened, "energy_kinetic").text() != "–" and find(opened, "energy_motor").text() == "–"
