"""Errors of revolute and prismatic joints are never one number."""

from __future__ import annotations

import re

import numpy as np

from armature import engine
from armature.app.state.joint_errors import largest, rms
from armature.app.state.units import Units
from armature.app.trajectory.trajectory_draft import example
from tests.app.test_trajectory_gui import click, planned


def test_each_joint_type_has_a_number_with_its_unit():
    scara, puma = engine.load_robot("scara"), engine.load_robot("puma560")
    errors = np.radians([1.0, 2.0, 0.0]) + [0.0, 0.0, 0.004]
    assert list(scara.prismatic) == [False, False, True]
    assert largest(errors, scara, Units()) == "2.00° (joint2), 0.0040 m (joint3)"
    assert largest(np.array([np.nan, np.nan, 0.004]), scara, Units(length="mm")) == "4.0 mm (joint3)"
    assert rms(np.array([9e-6, 16e-6, 4e-6]), scara, Units("rad", "mm")) == "0.0050 rad, 2.0 mm"
    assert largest(np.zeros(6), puma, Units()) == "0.00° (joint1)"


def test_a_run_shows_the_errors_of_both_joint_types(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock("scara")
    feature.model.draft = example(window.document.robot)
    planned(feature, wait_for)
    click(window, find, "run")
    shown = find(window, "trajectory_progress").text
    wait_for(lambda: re.search(r"max\. tracking error [\d.]+° \(joint[12]\), [\d.]+ m \(joint3\)", shown()), seconds=30)
