"""Session files: a saved desk is read again, and hostile or newer files do no harm."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.app.cli import main
from armature.app.session.session_archive import LARGEST_DIRECTORY, MOST_ENTRIES, SessionError, write_archive
from armature.app.session.session_file import Desk, SavedSession, load_session, save_session, tables_text
from armature.app.session.session_robot import OpenArm
from armature.engine.contact.cell import floor_cell
from armature.engine.errors import Cancelled
from armature.engine.model.robot_changes import fingerprint
from armature.engine.trajectory.plan_file import plan_text

SOUND = 'format = 1\n[robot]\nincluded = "scara"\n[pose]\nq = [0.1, 0.2, 0.05]\n'
CUBE = "\n".join(
    [f"v {x} {y} {z}" for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    + ["f 1 2 4 3", "f 5 6 8 7", "f 1 2 6 5", "f 3 4 8 7", "f 1 3 7 5", "f 2 4 8 6"]
)


def desk(robot="scara", **parts) -> Desk:
    """A desk with a robot and its floor."""
    arm = robot if isinstance(robot, OpenArm) else OpenArm(engine.load_robot(robot))
    return Desk(**{"tables": {}, "arm": arm, "cell": floor_cell(0.0), **parts})


def read_again(path: Path, folder: Path) -> SavedSession:
    return load_session(path, folder / "parts", folder / "recordings")


@pytest.fixture
def save_and_read(tmp_path):
    """Save a desk, and read it again."""

    def save(what: Desk, by_reference: bool = False) -> SavedSession:
        save_session(what, tmp_path / "desk.armature", by_reference)
        return read_again(tmp_path / "desk.armature", tmp_path)

    return save


@pytest.fixture
def read_parts(tmp_path):
    """Write an archive of texts, and read it as a session."""

    def write(*, raw: bytes | None = None, **entries: str | bytes) -> SavedSession:
        path = tmp_path / "given.armature"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in {"session.toml": SOUND, **entries}.items():
                archive.writestr(name, text)
        return read_again(path, tmp_path)

    return write


# -- a saved desk is read again ------------------------------------------------------------------------------------------------


def test_a_desk_comes_back(save_and_read):
    robot, cell = engine.load_robot("puma560"), engine.load_cell("table")
    plan, q = plan_text(engine.load_plan("pick_place_puma560", robot)), robot.configurations["ready"]
    tables = {"pose": {"q": q}, "notes": 'a "note"\nüber zwei Zeilen', "poses": {"my pose": q}, "view": {"camera": [1.0, 2.0]}}
    trace = np.array([[0.1, 0.2, 0.3, 0.0], [0.4, 0.5, 0.6, -1.0]])
    session = save_and_read(desk(OpenArm(robot), tables=tables, cell=cell, plan=plan, trace=trace))
    assert session.remarks == ()
    assert session.arm.robot.name == "puma560" and session.arm.draft is None
    assert session.file.pose.q == q.tolist() and session.file.poses["my pose"] == q.tolist()
    assert session.file.notes == tables["notes"] and session.file.view.camera == [1.0, 2.0]
    assert session.cell == cell and session.cell.source == cell.source
    assert len(session.plan.waypoints) == plan.count("[[waypoints]]") > 0
    assert np.array_equal(session.trace, trace)


def test_an_edited_robot_is_saved_by_content_with_its_comments(save_and_read):
    draft = engine.draft_of(engine.load_robot("scara")).with_value(("joints", 0, "a"), 0.4)
    session = save_and_read(desk(OpenArm(draft.robot, draft)))
    assert session.arm.draft.text == draft.text and session.arm.draft.changed
    assert fingerprint(session.arm.robot) == fingerprint(draft.robot)


@pytest.mark.parametrize("suffix", [".toml", ".urdf"])
def test_a_robot_file_travels_with_its_meshes(save_and_read, tmp_path, suffix):
    folder = tmp_path / "there"
    folder.mkdir()
    (folder / "arm.obj").write_text(CUBE)
    draft = engine.draft_of(engine.load_robot("scara")).with_value(("joints", 0, "shapes"), [{"mesh": "arm.obj"}])
    draft.saved_as(folder / "arm.toml")
    robot = engine.load_robot(folder / "arm.toml")
    assert robot.visuals[0].path == folder / "arm.obj"
    if suffix == ".urdf":
        engine.save_robot(robot, folder / "arm.urdf")
        robot = engine.load_robot(folder / "arm.urdf")
    save_session(desk(OpenArm(robot)), tmp_path / "desk.armature")
    assert read_again(tmp_path / "desk.armature", tmp_path).arm.robot.source == folder / f"arm{suffix}"  # on the same machine
    for file in folder.iterdir():
        file.unlink()
    session = read_again(tmp_path / "desk.armature", tmp_path)  # on another one
    assert session.remarks == ()
    assert [one.path.read_text() for one in session.arm.robot.visuals if one.shape == "mesh"] == [CUBE]
    assert np.allclose(engine.mass_matrix(session.arm.robot, [0.1, 0.2, 0.05]), engine.mass_matrix(robot, [0.1, 0.2, 0.05]))


def test_a_cell_travels_with_its_meshes(save_and_read, tmp_path):
    (tmp_path / "fixture.obj").write_text(CUBE)
    cell = floor_cell(0.0).with_object("fixture", "mesh", file=tmp_path / "fixture.obj", xyz=(0.5, 0.0, 0.0))
    save_session(desk(cell=cell), tmp_path / "desk.armature")
    (tmp_path / "fixture.obj").unlink()
    session = read_again(tmp_path / "desk.armature", tmp_path)
    assert session.remarks == () and session.cell.names == ("floor", "fixture")
    assert np.array_equal(session.cell["fixture"].points, cell["fixture"].points)


@pytest.mark.parametrize("by_reference", [False, True])
def test_a_recording_is_saved_by_content_or_by_reference(save_and_read, tmp_path, by_reference):
    recording = engine.simulate(engine.load_robot("pendulum"), [0.5], [0.0], 0.05, 1e-3)
    path = recording.save(tmp_path / "a swing.csv")
    session = save_and_read(desk("pendulum", recordings=(path,), t=0.02), by_reference)
    assert session.remarks == () and session.file.recordings[0].t == 0.02
    assert (session.recordings[0] == path) == by_reference
    assert np.array_equal(engine.load_recording(session.recordings[0]).q, recording.q)
    path.write_text(path.read_text().replace("0.5", "0.6", 1))
    again = read_again(tmp_path / "desk.armature", tmp_path)
    assert again.remarks == (("recordings[0]: a swing.csv has changed since the session was saved",) if by_reference else ())


def test_only_files_that_are_needed_remain(save_and_read, tmp_path):
    robot = engine.load_robot("puma560")
    session = save_and_read(desk(OpenArm(robot), plan=plan_text(engine.load_plan("pick_place_puma560", robot))))
    assert session.plan is not None and session.cell is not None
    assert list((tmp_path / "parts").iterdir()) == []


def test_code_is_text_and_no_more(save_and_read, tmp_path):
    (tmp_path / "law.py").write_text("raise SystemExit('executed')\n")
    tables = {"control": {"law": "own", "code": {"file": "code/controller.py", "values": {"gain": 3.0}}}}
    session = save_and_read(desk(tables=tables, code={"controller": tmp_path / "law.py"}))
    assert session.code == {"controller": "raise SystemExit('executed')\n"}
    assert session.file.control.code.values == {"gain": 3.0}


def test_saving_reports_progress_and_can_be_cancelled(tmp_path):
    (tmp_path / "long.npz").write_bytes(bytes(3 << 20))
    path, done = tmp_path / "desk.armature", []
    what = desk(recordings=(tmp_path / "long.npz",))
    save_session(what, path, progress=lambda *step: done.append(step))
    before = path.read_bytes()
    assert [k for k, _ in done] == [1 << 20, 2 << 20, 3 << 20] and done[0][1] >= 3 << 20
    with pytest.raises(Cancelled):
        save_session(what, path, cancelled=lambda: True)
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 2


def test_a_disk_that_refuses_leaves_the_old_session(tmp_path):
    save_session(desk(), tmp_path / "desk.armature")
    before = (tmp_path / "desk.armature").read_bytes()
    with pytest.raises(SessionError, match=r"gone\.npz: the folder does not exist|gone\.npz"):
        save_session(desk(recordings=(tmp_path / "gone.npz",)), tmp_path / "desk.armature")
    with pytest.raises(SessionError, match="the folder does not exist"):
        save_session(desk(), tmp_path / "nowhere" / "desk.armature")
    assert (tmp_path / "desk.armature").read_bytes() == before


# -- newer versions ----------------------------------------------------------------------------------------------------------


def test_a_newer_session_says_what_is_not_understood_and_opens_the_rest(read_parts):
    newer = SOUND.replace("format = 1", 'format = 7\nprogram = "9.0"\nhologram = true')
    newer += '[view]\ncamera = [10.0, 20.0]\nglow = 3\nframe_size = "vast"\n[weather]\nwind = 3\n'
    session = read_parts(**{"session.toml": newer, "hologram/a.bin": "x"})
    assert session.file.pose.q == [0.1, 0.2, 0.05] and session.file.view.camera == [10.0, 20.0]
    told = "\n".join(session.remarks)
    assert session.file.program == "9.0"
    for field in ("hologram", "weather", "view.glow", "view.frame_size", "hologram/a.bin"):
        assert field in told


# -- hostile files -----------------------------------------------------------------------------------------------------------

OWN_ROBOT = 'format = 1\n[robot]\nfile = "robot.toml"\n'
ARCHIVES = {
    "zip bomb": ({"meshes/a.obj": bytes(50 << 20)}, "meshes/a.obj' would unpack .* (zip bomb)"),
    "folder above": ({"../evil.toml": "x"}, "'../evil.toml' leads out of the session"),
    "folder above inside": ({"code/../../evil.py": "x"}, "leads out of the session"),
    "absolute path": ({"/etc/cron.d/evil": "x"}, "'/etc/cron.d/evil' leads out of the session"),
    "drive": ({"C:/evil.toml": "x"}, "leads out of the session"),
    "backslash": ({"code\\evil.py": "x"}, "is not a valid name"),
    "control characters": ({"code/a\x1b[2J.py": "x"}, "is not a valid name"),
    "names by case": ({"Session.toml": SOUND}, "'session.toml' is there twice"),
    "many entries": ({f"meshes/{k}.obj": "" for k in range(MOST_ENTRIES)}, f"501 entries; at most {MOST_ENTRIES} are read"),
    "no format": ({"session.toml": "x = 1"}, "format: format is missing"),
    "not UTF-8": ({"session.toml": b"format = 1 # \xff\xfe"}, "session.toml: .* UTF-8"),
    "large manifest": ({"session.toml": "# " + "".join(map(chr, range(0x100, 0xD000))) * 40}, "session.toml has .* at most"),
    "nested arrays": ({"session.toml": "format = " + "[" * 5000 + "]" * 5000}, "session.toml: "),
    "wrong type of the format": ({"session.toml": 'format = "x"\n[robot]\n'}, "session.toml: format: "),
    "no robot": ({"session.toml": "format = 1\n"}, "session.toml: robot: robot is missing"),
    "robot elsewhere": ({"session.toml": 'format = 1\n[robot]\nfile = "../../a.urdf"\n'}, "robot.file: must be robot.toml"),
    "unknown robot": ({"session.toml": 'format = 1\n[robot]\nincluded = "../x"\n'}, "'../x' is not included"),
    "damaged robot": (
        {"session.toml": 'format = 1\n[robot]\nfile = "robot.toml"\n', "robot.toml": "joints = 3"},
        "robot cannot be",
    ),
}


@pytest.mark.parametrize("kind", ARCHIVES)
def test_a_hostile_archive_is_refused_in_one_line(read_parts, tmp_path, kind):
    entries, message = ARCHIVES[kind]
    with pytest.raises(SessionError) as refusal:
        read_parts(**entries)
    told = str(refusal.value)
    assert told.startswith(str(tmp_path / "given.armature")) and "\n" not in told and len(told) < 400
    assert all(part in told for part in message.split(" .* ")) or pytest.fail(told)
    if "robot" not in kind:
        assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["given.armature"]


def _archive(path: Path, change=lambda info: None, **entries) -> bytearray:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {"session.toml": SOUND, **entries}.items():
            info = zipfile.ZipInfo(name)
            if name != "session.toml":
                change(info)
            archive.writestr(info, text)
    return bytearray(path.read_bytes())


def _link(info):
    info.external_attr = 0o120777 << 16


def _device(info):
    info.external_attr = 0o020666 << 16


def _bzip2(info):
    info.compress_type = zipfile.ZIP_BZIP2


def _patched(data: bytearray, offset: int, form: str, value: int, sign: bytes = b"PK\x01\x02") -> bytearray:
    """Data with another number in the last record that begins with `sign`."""
    struct.pack_into(form, data, data.rfind(sign) + offset, value)
    return data


BYTES = {
    "link": (lambda path: _archive(path, _link, **{"meshes/a.obj": "/etc/passwd"}), "is a link or a special file"),
    "device": (lambda path: _archive(path, _device, **{"meshes/a.obj": ""}), "is a link or a special file"),
    "unknown method": (lambda path: _archive(path, _bzip2, **{"meshes/a.obj": "x"}), "compressed by an unknown method"),
    "encrypted": (lambda path: _patched(_archive(path), 8, "<H", 1), "is encrypted"),
    "truncated": (lambda path: _archive(path)[:-30], "is damaged or not a session"),
    "no zip": (lambda path: bytearray(b"[robot]\nname = 'x'\n"), "is damaged or not a session"),
    "empty": (lambda path: bytearray(), "is damaged or not a session"),
    "smaller declared size": (lambda path: _patched(_archive(path), 24, "<L", 20), "session.toml"),
    "larger declared size": (lambda path: _patched(_archive(path), 24, "<L", 2000), "session.toml"),
    "flipped byte": (lambda path: _patched(_archive(path), 40, "<B", 0, b"PK\x03\x04"), "damaged"),
    "huge list of entries": (lambda path: _patched(_archive(path), 12, "<L", 2 * LARGEST_DIRECTORY, b"PK\x05\x06"), "zip bomb"),
}


@pytest.mark.parametrize("kind", BYTES)
def test_hostile_bytes_are_refused_in_one_line(tmp_path, kind):
    make, message = BYTES[kind]
    path = tmp_path / "given.armature"
    path.write_bytes(make(path))
    with pytest.raises(SessionError) as refusal:
        read_again(path, tmp_path)
    told = str(refusal.value)
    assert told.startswith(str(path)) and "\n" not in told and message in told
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["given.armature"]


def test_overlapping_entries_are_refused(tmp_path):
    path = tmp_path / "given.armature"
    data = _archive(path, **{"meshes/a.obj": bytes(10_000)})
    at = data.find(b"PK\x01\x02")
    record = data[data.rfind(b"PK\x01\x02") : data.rfind(b"PK\x05\x06")]
    many = [bytes(record).replace(b"meshes/a", b"meshes/" + bytes([98 + k])) for k in range(9)]
    data[data.rfind(b"PK\x05\x06") : data.rfind(b"PK\x05\x06")] = b"".join(many)
    end = data.rfind(b"PK\x05\x06")
    struct.pack_into("<HHL", data, end + 8, 11, 11, end - at)
    path.write_bytes(data)
    with pytest.raises(SessionError, match="overlap"):
        read_again(path, tmp_path)


@pytest.mark.parametrize("path", ["", "missing.armature"])
def test_what_is_no_file_is_refused(tmp_path, path):
    with pytest.raises(SessionError, match=r"is not a regular file|file not found"):
        read_again(tmp_path / path, tmp_path)


MESH_ELSEWHERE = '[[objects]]\nname = "a"\nshape = "mesh"\nfile = "../../../elsewhere.obj"'
HELD_BACK = {
    '[cell]\nfile = "cell.toml"': "cell: cell.toml: ",
    '[[recordings]]\nfile = "recordings/../../a.npz"': "recordings[0]: 'recordings/../../a.npz' is not a recording",
    '[[recordings]]\npath = "//server/share/a.npz"': "recordings[0]: '//server/share/a.npz' is not on this machine",
    '[[recordings]]\npath = "/dev/zero"': "recordings[0]: '/dev/zero' is not on this machine",
    '[control]\ncode = { file = "code/none.py" }': "controller: has no code/none.py",
    '[view]\ntrace = "trace.csv"': "view.trace: trace.csv: must have the columns",
    f"[window]\nplots = {['q'] * 1000}": "window.plots: List should have at most 8 items",
    '[window]\nlayout = "<script>"': "window.layout: String should match pattern",
    "[pose]\nqd = [nan, inf]": "pose.qd: must be a finite number, got nan",
    "[[view]]\nx = 3": "view: Input should be a valid dictionary",
    '[trajectory]\nfile = "trajectory.toml"': "trajectory: trajectory.toml: robot: the trajectory is for b, not for scara",
}


@pytest.mark.parametrize("tables", HELD_BACK)
def test_a_hostile_part_is_held_back_and_named(read_parts, tables):
    plan = 'name = "a"\nrobot = "b"\n[[waypoints]]\npose = "home"\n'
    parts = {"cell.toml": MESH_ELSEWHERE, "trajectory.toml": plan, "trace.csv": "x,y,z,gap\n1,2,nan,0\n"}
    session = read_parts(**{**parts, "session.toml": f'format = 1\n{tables}\n[robot]\nincluded = "scara"\n'})
    assert session.arm.robot.name == "scara"
    (told,) = session.remarks
    assert told.startswith(HELD_BACK[tables]) and "\n" not in told and len(told) < 300
    assert (session.cell, session.plan, session.recordings, dict(session.code)) == (None, None, (), {})


def test_meshes_of_a_hostile_cell_are_not_shown(read_parts, tmp_path):
    (tmp_path / "secret.obj").write_text(CUBE)
    text = f'[[objects]]\nname = "a"\nshape = "mesh"\nfile = "{tmp_path / "secret.obj"}"'
    session = read_parts(**{"session.toml": SOUND + '[cell]\nfile = "cell.toml"\n', "cell.toml": text})
    assert session.cell is None and session.remarks == ("cell: cell.toml: the file of a is not in the session",)


def test_meshes_of_a_hostile_robot_are_not_read_from_elsewhere(read_parts, tmp_path):
    (tmp_path / "secret.obj").write_text(CUBE)
    draft = engine.draft_of(engine.load_robot("scara"))
    text = draft.with_value(("joints", 0, "shapes"), [{"mesh": str(tmp_path / "secret.obj")}]).text
    session = read_parts(**{"session.toml": OWN_ROBOT, "robot.toml": text})
    assert [shape.path for shape in session.arm.robot.visuals] == [None]


def test_tables_are_plain_toml():
    text = tables_text({"format": 1, "view": {"camera": np.array([1.0, 2.0]), "none": None}, "recordings": [{"file": "a"}]})
    assert text == 'format = 1\n\n[view]\ncamera = [1.0, 2.0]\n\n[[recordings]]\nfile = "a"\n'


def test_an_archive_has_no_time_in_it(tmp_path):
    for name in ("a", "b"):
        write_archive(tmp_path / name, {"session.toml": SOUND.encode()})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("command", [[], ["screenshot"]])
def test_a_command_refuses_a_bad_session_in_one_line(tmp_path, capsys, command):
    (tmp_path / "bad.armature").write_bytes(_archive(tmp_path / "bad.armature", _link, **{"meshes/a.obj": "/etc/passwd"}))
    assert main([*command, str(tmp_path / "bad.armature"), *(["out.png"] if command else [])]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "bad.armature: 'meshes/a.obj' is a link or a special file" in told
