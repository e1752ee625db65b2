"""Where meshes of a URDF are looked for: behind the links of a workspace they are found, outside of it none is read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from armature import engine
from armature.engine.model.urdf.package_folders import PATH_VARIABLES

MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
PACKAGE = "<package format='3'>\n  <name>{}</name>\n</package>\n"


def urdf(*meshes: str, texture: str = "") -> str:
    """An arm of one joint whose link shows these meshes."""
    material = f'<material name="m"><texture filename="{texture}"/></material>' if texture else ""
    looks = "".join(f'<visual><geometry><mesh filename="{mesh}"/></geometry>{material}</visual>' for mesh in meshes)
    return (
        f'<robot name="arm">\n<link name="base"/>\n<link name="a">{MASS}{looks}</link>\n<joint name="j" type="continuous">'
        '<parent link="base"/><child link="a"/></joint>\n</robot>\n'
    )


def write(path: Path, text: str = "solid") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture(autouse=True)
def no_packages_known(monkeypatch):
    for name in PATH_VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def workspace(tmp_path):
    """As `colcon build --symlink-install` leaves it: two packages in src/, every file of theirs a link in install/.

    `arm_description` lies in a folder of another name and is installed by CMake, straight to src/; `hand` by setuptools, by way
    of build/. A mesh of the arm is itself a link to one of the hand.
    """
    ws = tmp_path / "ws"
    arm, hand = ws / "src" / "robots" / "arm_repo", ws / "src" / "hand"
    for folder, name in ((arm, "arm_description"), (hand, "hand")):
        write(folder / "package.xml", PACKAGE.format(name))
        write(folder / "meshes" / f"{folder.name}.stl")
    (arm / "meshes" / "shared.stl").symlink_to("../../../hand/meshes/hand.stl")
    write(arm / "urdf" / "arm.urdf", urdf("package://arm_description/meshes/arm_repo.stl", "package://hand/meshes/hand.stl"))
    write(ws / "install" / ".colcon_install_layout", "isolated\n")
    for folder, name, by in ((arm, "arm_description", None), (hand, "hand", ws / "build" / "hand")):
        for file in [path for path in folder.rglob("*") if path.is_file()]:
            place = ws / "install" / name / "share" / name / file.relative_to(folder)
            for link in (place,) if by is None else (by / file.relative_to(folder), place):
                link.parent.mkdir(parents=True, exist_ok=True)
            if by is not None:
                (by / file.relative_to(folder)).symlink_to(file)
                file = by / file.relative_to(folder)
            place.symlink_to(file if by else os.path.relpath(file, place.parent))
    return ws


def source(monkeypatch, workspace):
    """What `source install/setup.bash` does."""
    prefixes = [str(workspace / "install" / name) for name in ("arm_description", "hand")]
    monkeypatch.setenv("AMENT_PREFIX_PATH", os.pathsep.join([*prefixes, "/opt/ros/none"]))


def found(path: Path) -> list[Path | None]:
    robot = engine.load_robot(path)
    assert robot.n == 1
    return [visual.path for visual in robot.visuals]


def in_src(workspace: Path, *names: str) -> list[Path]:
    return [(workspace / "src" / name).resolve() for name in names]


BOTH = ("robots/arm_repo/meshes/arm_repo.stl", "hand/meshes/hand.stl")


def test_meshes_of_a_sourced_workspace_are_read_from_anywhere(workspace, tmp_path, monkeypatch):
    path = write(tmp_path / "out" / "made_by_xacro.urdf", (workspace / "src/robots/arm_repo/urdf/arm.urdf").read_text())
    source(monkeypatch, workspace)
    assert found(path) == in_src(workspace, *BOTH)


def test_a_merged_install_and_one_of_another_name_are_workspaces_too(workspace, tmp_path, monkeypatch):
    (workspace / "install" / ".colcon_install_layout").replace(workspace / "install" / "x")
    shutil.copytree(workspace / "install" / "hand" / "share", workspace / "merged" / "share", symlinks=True)
    write(workspace / "merged" / ".colcon_install_layout", "merged\n")
    (workspace / "merged" / "share" / "hand" / "package.xml").unlink()  # by its place alone
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(workspace / "merged"))
    assert found(write(tmp_path / "out" / "a.urdf", urdf("package://hand/meshes/hand.stl"))) == in_src(workspace, BOTH[1])


def test_the_installed_file_opens_with_and_without_the_environment(workspace, monkeypatch):
    path = workspace / "install" / "arm_description" / "share" / "arm_description" / "urdf" / "arm.urdf"
    assert found(path)[0] == in_src(workspace, BOTH[0])[0]
    source(monkeypatch, workspace)
    assert found(path) == in_src(workspace, *BOTH)


def test_a_file_made_by_the_build_finds_the_links_beside_it(workspace):
    path = workspace / "install" / "arm_description" / "share" / "arm_description" / "urdf" / "made.urdf"
    write(
        path,
        urdf(
            "../meshes/arm_repo.stl",
            "package://arm_description/meshes/arm_repo.stl",
            f"file://{path.parent}/../meshes/shared.stl",
        ),
    )
    assert found(path) == in_src(workspace, BOTH[0], BOTH[0], BOTH[1])


def test_a_package_is_found_by_the_name_in_its_package_xml_and_links_into_src_are_followed(workspace):
    path = write(
        workspace / "src/robots/arm_repo/urdf/more.urdf",
        urdf(
            "package://arm_description/meshes/arm_repo.stl", "package://arm_description/meshes/shared.stl", "../meshes/shared.stl"
        ),
    )
    assert found(path) == in_src(workspace, BOTH[0], BOTH[1], BOTH[1])


def test_a_package_linked_into_src_is_the_same_package(workspace, tmp_path, monkeypatch):
    """A clone elsewhere, linked into src/; install/ links to its files."""
    elsewhere = tmp_path / "git" / "gripper"
    write(elsewhere / "package.xml", PACKAGE.format("gripper"))
    mesh = write(elsewhere / "meshes" / "g.stl")
    (workspace / "src" / "gripper").symlink_to(elsewhere)
    share = workspace / "install" / "gripper" / "share" / "gripper"
    (share / "meshes").mkdir(parents=True)
    (share / "meshes" / "g.stl").symlink_to(workspace / "src" / "gripper" / "meshes" / "g.stl")
    (share / "package.xml").symlink_to(workspace / "src" / "gripper" / "package.xml")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(workspace / "install" / "gripper"))
    assert found(write(tmp_path / "out" / "a.urdf", urdf("package://gripper/meshes/g.stl"))) == [mesh]


# what lies outside

OUTSIDE = {
    "up and out": "../../../../etc/passwd",
    "absolute": "/etc/passwd",
    "file scheme": "file:///etc/passwd",
    "file scheme, escaped": "file:///%65tc/passwd",
    "out of a package": "package://arm_description/../../secret.stl",
    "out of no package": "package://nowhere/../../secret.stl",
    "a folder of the system as package": "package://../etc/passwd",
    "web": "http://localhost/arm.stl",
    "a linked folder": "link/secret.stl",
    "a linked file": "meshes/secret.stl",
    "a linked file of a package": "package://arm_description/meshes/secret.stl",
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_mesh_outside_is_a_remark_and_the_arm_opens(tmp_path, name):
    secret = write(tmp_path / "secret.stl")
    folder = tmp_path / "arm_description"
    (folder / "meshes").mkdir(parents=True)
    (folder / "link").symlink_to(tmp_path)
    (folder / "meshes" / "secret.stl").symlink_to(secret)
    robot = engine.load_robot(write(folder / "arm.urdf", urdf(OUTSIDE[name], texture=OUTSIDE[name])))
    assert engine.frame_pose(robot, [0.3]).shape == (4, 4)
    (visual,) = robot.visuals
    assert visual.path is None and visual.texture is None and visual.outside and visual.file == OUTSIDE[name]
    (remark,) = [remark for remark in robot.remarks if "outside" in remark]
    assert repr(OUTSIDE[name]) in remark and "not read" in remark and "\n" not in remark


def test_a_link_that_leads_out_of_a_workspace_is_not_followed(workspace, tmp_path, monkeypatch):
    secret = write(tmp_path / "secret.stl")
    for folder in (workspace / "install/hand/share/hand/meshes", workspace / "src/robots/arm_repo/meshes"):
        (folder / "secret.stl").symlink_to(secret)
    source(monkeypatch, workspace)
    meshes = ("package://hand/meshes/secret.stl", "package://arm_description/meshes/secret.stl")
    for path in (workspace / "src/robots/arm_repo/urdf/b.urdf", tmp_path / "out" / "b.urdf"):
        assert found(write(path, urdf(*meshes))) == [None, None]


def test_a_folder_called_src_alone_is_no_workspace(tmp_path):
    mesh = write(tmp_path / "src" / "private" / "a.stl")
    folder = tmp_path / "src" / "arm"
    folder.mkdir()
    (folder / "a.stl").symlink_to(mesh)
    assert found(write(folder / "arm.urdf", urdf("a.stl"))) == [None]


def test_many_files_outside_are_one_remark_with_the_first_names(tmp_path):
    meshes = [f"../../out/{k}.stl" for k in range(7)]
    remarks = engine.load_robot(write(tmp_path / "arm.urdf", urdf(*meshes, *meshes))).remarks
    (remark,) = [remark for remark in remarks if "outside" in remark]
    assert remark.startswith("7 mesh files are outside") and all(mesh in remark for mesh in meshes[:3]) and "6.stl" not in remark


@pytest.mark.parametrize("resolve", [None, lambda path, strict=False: Path(os.path.realpath(path))], ids=["own", "3.13"])
def test_links_in_a_circle_are_no_file(tmp_path, monkeypatch, resolve):
    """From Python 3.13 on `Path.resolve` says nothing of a circle."""
    if resolve is not None:
        monkeypatch.setattr(Path, "resolve", resolve)
    (tmp_path / "a.stl").symlink_to("b.stl")
    (tmp_path / "b.stl").symlink_to("a.stl")
    robot = engine.load_robot(write(tmp_path / "arm.urdf", urdf("a.stl", "a.stl/c.stl")))
    assert [visual.path for visual in robot.visuals] == [None, None]
    assert any("2 mesh files not found" in remark for remark in robot.remarks)
