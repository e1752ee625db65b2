"""Draws an arm of seven joints with MuJoCo's renderer and prints frames per second as one line of JSON; `frames` starts it."""

from __future__ import annotations

import json
import sys
import time

import mujoco
import numpy as np

SIZE, MEASURE, JOINTS = (1280, 800), 4.0, 7
# Slices and stacks of round shapes that make about as many triangles as the panda of the window has.
SLICES, STACKS = 20, 6
QUALITY = {"mujoco": "", "mujoco_plain": 'offsamples="0" shadowsize="512"'}

WORLD = """
<mujoco>
  <visual>
    <global offwidth="{width}" offheight="{height}"/>
    <quality {quality} numslices="{slices}" numstacks="{stacks}"/>
  </visual>
  <asset>
    <texture type="skybox" builtin="gradient" rgb1="0.97 0.98 1" rgb2="0.85 0.88 0.92" width="256" height="256"/>
    <texture name="grid" type="2d" builtin="checker" rgb1="0.92 0.93 0.95" rgb2="0.86 0.88 0.9" width="256" height="256"/>
    <material name="grid" texture="grid" texrepeat="10 10"/>
  </asset>
  <worldbody>
    <light pos="1 -1 3" dir="-0.3 0.3 -1" directional="true"/>
    <geom type="plane" size="2 2 0.1" material="grid"/>
    <geom type="cylinder" size="0.14 0.02" pos="0 0 0.02" rgba="0.2 0.22 0.25 1"/>
    <geom type="cylinder" size="0.09 0.14" pos="0 0 0.18" rgba="0.6 0.63 0.67 1"/>
    {arm}
  </worldbody>
</mujoco>
"""
LINK = """
<body pos="0 0 {up}">
  <joint axis="{axis}"/>
  <geom type="cylinder" size="0.06 0.07" rgba="0.2 0.22 0.25 1"/>
  <geom type="cylinder" size="0.04 0.075" rgba="0.3 0.5 0.7 1"/>
  <geom type="capsule" size="0.05" fromto="0 0 0 0 0 0.15" rgba="0.9 0.92 0.95 1"/>
  {further}
</body>
"""
HAND = '<geom type="box" size="0.04 0.02 0.04" pos="0 0 0.2"/>'


def main() -> int:
    """Every frame another pose, drawn and read, as a viewer or a dataset would."""
    arm = HAND
    for k in reversed(range(JOINTS)):
        arm = LINK.format(up=0.16 if k else 0.32, axis="0 1 0" if k % 2 else "0 0 1", further=arm)
    quality = QUALITY[sys.argv[1]]
    text = WORLD.format(width=SIZE[0], height=SIZE[1], quality=quality, slices=SLICES, stacks=STACKS, arm=arm)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    camera = mujoco.MjvCamera()
    camera.lookat[:], camera.distance, camera.azimuth, camera.elevation = (0, 0, 0.6), 2.6, 128.0, -24.0
    with mujoco.Renderer(model, SIZE[1], SIZE[0]) as renderer:

        def frame(count: int) -> None:
            data.qpos[:] = 0.3 * np.sin(0.1 * count + np.arange(JOINTS))
            mujoco.mj_kinematics(model, data)
            renderer.update_scene(data, camera)
            renderer.render()

        for k in range(3):
            frame(k)
        count, started = 0, time.perf_counter()
        while (spent := time.perf_counter() - started) < MEASURE:
            count += 1
            frame(count)
        print(json.dumps({"frames": count / spent, "triangles": _triangles(model)}))
    return 0


def _triangles(model) -> int:
    """Of the round shapes and the hand: a cylinder's side and two discs, a capsule's side and two half balls."""
    side, disc, ball = 2 * SLICES * STACKS, 2 * SLICES * STACKS, 2 * SLICES * STACKS
    kinds = {int(mujoco.mjtGeom.mjGEOM_CYLINDER): side + 2 * disc, int(mujoco.mjtGeom.mjGEOM_CAPSULE): side + ball}
    return sum(kinds.get(int(kind), 12) for kind in model.geom_type)


if __name__ == "__main__":
    sys.exit(main())
