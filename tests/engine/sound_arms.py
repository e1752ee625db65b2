"""A sound arm as a robot file and as a URDF, to make mistakes in."""

from __future__ import annotations

from pathlib import Path

from armature import engine

TOML = """# an arm of three uniform rods, as strong as it is heavy
name       = "arm"
convention = "standard"

[configurations]
home = [0, "pi/4", "-pi/2"]

[[joints]]  # waist
type           = "revolute"
alpha          = "pi/2"
d              = 0.4
limits         = [-3.0, 3.0]
velocity_limit = 3.0
torque_limit   = 80.0
mass           = 6.0
com            = [0.0, -0.2, 0.0]
inertia        = [0.085, 0.012, 0.085]
gear_ratio     = 100
rotor_inertia  = 3e-5
friction       = { viscous = 2.0, coulomb = 1.5 }

[[joints]]  # shoulder
type           = "revolute"
a              = 0.4
limits         = [-1.9, 1.9]
velocity_limit = 3.0
torque_limit   = 60.0
mass           = 3.0
com            = [-0.2, 0.0, 0.0]
inertia        = [0.004, 0.042, 0.042]
gear_ratio     = 100
rotor_inertia  = 3e-5
friction       = { viscous = 2.0, coulomb = 1.5 }

[[joints]]  # elbow
type           = "revolute"
a              = 0.3
limits         = [-2.6, 2.6]
velocity_limit = 3.0
torque_limit   = 30.0
mass           = 2.0
com            = [-0.15, 0.0, 0.0]
inertia        = [0.002, 0.016, 0.016]
gear_ratio     = 50
rotor_inertia  = 2e-5
friction       = { viscous = 1.0, coulomb = 0.5 }
"""

URDF = """<?xml version="1.0"?>
<!-- the same arm -->
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0.2 0 0" rpy="0 0 0"/>
      <mass value="3.0"/>
      <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.042" iyz="0" izz="0.042"/>
    </inertial>
    <visual>
      <origin xyz="0.2 0 0"/>
      <geometry><box size="0.4 0.09 0.09"/></geometry>
    </visual>
  </link>
  <link name="left_hand">
    <inertial>
      <origin xyz="0.1 0.02 0" rpy="0 0 0"/>
      <mass value="1.0"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/>
    </inertial>
    <visual>
      <origin xyz="0.1 0 0"/>
      <geometry><cylinder radius="0.04" length="0.2"/></geometry>
    </visual>
  </link>
  <link name="right_hand">
    <inertial>
      <origin xyz="0.1 -0.02 0" rpy="0 0 0"/>
      <mass value="1.0"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/>
    </inertial>
    <visual>
      <origin xyz="0.1 0 0"/>
      <geometry><cylinder radius="0.04" length="0.2"/></geometry>
    </visual>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.5" rpy="0 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-1.9" upper="1.9" velocity="3" effort="60"/>
  </joint>
  <joint name="left_elbow" type="revolute">
    <parent link="upper"/><child link="left_hand"/>
    <origin xyz="0.4 0.1 0" rpy="0 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-2.5" upper="2.5" velocity="3" effort="20"/>
  </joint>
  <joint name="right_elbow" type="revolute">
    <parent link="upper"/><child link="right_hand"/>
    <origin xyz="0.4 -0.1 0" rpy="0 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-2.5" upper="2.5" velocity="3" effort="20"/>
  </joint>
</robot>
"""


def wrong(text: str, old: str, new: str, after: str = "") -> tuple[str, int]:
    """The text with `old` as `new`, the first one behind `after`, and the line on which that stands, from 1."""
    start = text.index(old, text.index(after))
    return text[:start] + new + text[start + len(old) :], text.count("\n", 0, start) + 1


def opened(folder: Path, text: str) -> engine.Robot:
    """The robot of a text, which is a URDF or a robot file."""
    path = folder / ("arm.urdf" if text.startswith("<?xml") else "arm.toml")
    path.write_text(text, encoding="utf-8")
    return engine.load_robot(path)
