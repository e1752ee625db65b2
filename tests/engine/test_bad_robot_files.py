"""Every way a robot file can be wrong ends in one line that names the file, the field and what is valid."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armature.engine.errors import ModelError
from armature.engine.model.load_robot import ROBOTS, load_robot, shipped_robots

HEAD = 'name = "arm"\nconvention = "standard"\n'
JOINT = '[[joints]]\ntype = "revolute"\n'
ARM = HEAD + JOINT
MASS = ARM + "mass = 1.0\n"


def complaint_about(path):
    """The message load_robot refuses `path` with, checked to be one short printable line that names the file."""
    with pytest.raises(ModelError) as caught:
        load_robot(path)
    message = str(caught.value)
    assert message.isprintable() and len(message) < 1000, message
    return message


BAD = {
    "unknown key": (HEAD + "xyz = 3\n" + JOINT, "xyz: unknown key; valid are name, "),
    "misspelt key": (ARM + "mas = 1", "joints[0].mas (joint 1): unknown key; did you mean mass?"),
    "misspelt type": (HEAD + '[[joints]]\ntyp = "revolute"', "joints[0].typ (joint 1): unknown key; did you mean type?"),
    "upper case key": (ARM + "Mass = 1", "joints[0].Mass (joint 1): unknown key; did you mean mass?"),
    "unknown friction key": (
        ARM + "friction = { vicous = 1 }",
        "joints[0].friction.vicous (joint 1): unknown key; did you mean viscous",
    ),
    "unknown pose key": (HEAD + "[tool]\nxzy = [0, 0, 1]\n" + JOINT, "tool.xzy: unknown key; did you mean xyz?"),
    "no type": (HEAD + "[[joints]]\na = 1", 'joints[0].type (joint 1): missing; it must be "revolute" or "prismatic"'),
    "wrong type": (HEAD + '[[joints]]\ntype = "ball"', 'type (joint 1): must be "revolute" or "prismatic", got \'ball\''),
    "no name": ('convention = "standard"\n' + JOINT, "name: missing"),
    "no convention": ('name = "arm"\n' + JOINT, 'convention: missing; it must be "standard" or "modified"'),
    "wrong convention": (ARM.replace("standard", "craig"), 'convention: must be "standard" or "modified", got \'craig\''),
    "no joints": (HEAD, "joints: missing; give one table headed [[joints]] per joint"),
    "empty joints": (HEAD + "joints = []", "joints: must be 1 to 64 tables"),
    "joints no array": (HEAD + "[joints]\na = 1", "joints: must be 1 to 64 tables, each headed [[joints]], got a table"),
    "joint no table": (HEAD + "joints = [1]", "joints[0] (joint 1): must be a table, got 1"),
    "too many joints": (HEAD + 65 * JOINT, "joints: must be 1 to 64 tables, each headed [[joints]], got an array of 65"),
    "name no text": ("name = 3\n" + 'convention = "standard"\n' + JOINT, "name: must be a name of letters"),
    "name with comma": (ARM.replace('"arm"', '"a,b"'), "name: must be a name of letters"),
    "second name": (
        ARM + 'name = "arm1"\n' + JOINT + 'name = "arm1"',
        "joints[1].name (joint 2): 'arm1' is already the name of joint 1",
    ),
    "name of a default": (ARM + 'name = "joint2"\n' + JOINT, "joints[1].name (joint 2): 'joint2' is already the name of joint 1"),
    "nan": (ARM + "a = nan", "joints[0].a (joint 1): must be a finite number, got nan"),
    "inf": (ARM + "d = -inf", "joints[0].d (joint 1): must be a finite number, got -inf"),
    "overflow": (ARM + "a = 1e400", "joints[0].a (joint 1): must be a finite number, got inf"),
    "huge": (ARM + "a = 1e300", "joints[0].a (joint 1): must be a number between -1e9 and 1e9, got 1e+300"),
    "huge integer": (
        ARM + f"a = {10**400}",
        "joints[0].a (joint 1): must be a number between -1e9 and 1e9, got a number too large",
    ),
    "huge hexadecimal": (ARM + "a = 0x1" + 9000 * "0", "joints[0].a (joint 1): must be a number between"),
    "endless integer": (ARM + "a = " + 6000 * "9", "is not TOML: a number has too many digits"),
    "boolean": (ARM + "a = true", "joints[0].a (joint 1): must be a number, got true"),
    "text": (ARM + 'a = "1"', "joints[0].a (joint 1): must be a number, got '1'"),
    "date": (ARM + "a = 2026-11-20", "joints[0].a (joint 1): must be a number, got 2026-11-20"),
    "no angle": (ARM + 'alpha = "tau/4"', "joints[0].alpha (joint 1): must be an angle in rad, a number or a text such as"),
    "code for an angle": (ARM + "alpha = \"__import__('os')\"", "joints[0].alpha (joint 1): must be an angle"),
    "angle by zero": (ARM + 'alpha = "pi/0"', "which divides by zero"),
    "angle too large": (ARM + 'alpha = "1e300*1e300"', "must be an angle between -1e9 and 1e9 rad"),
    "angle by almost zero": (ARM + 'alpha = "1/1e-320"', "must be an angle between -1e9 and 1e9 rad"),
    "angle twice": (ARM + "alpha = 1\nalpha_deg = 3", "joints[0].alpha_deg (joint 1): duplicates alpha; give only one of them"),
    "limits twice": (ARM + "limits = [0, 1]\nlimits_deg = [0, 1]", "joints[0].limits_deg (joint 1): duplicates limits"),
    "limits reversed": (
        ARM + "limits = [1, -1]",
        "joints[0].limits (joint 1): must be [lower, upper] with lower < upper, got [1, -1]",
    ),
    "limits reversed in degrees": (ARM + "limits_deg = [90, 9]", "joints[0].limits_deg (joint 1): must be [lower, upper] with"),
    "limits equal": (ARM + "limits = [1, 1]", "joints[0].limits (joint 1): must be [lower, upper]"),
    "one limit": (ARM + "limits = [1]", "joints[0].limits (joint 1): must be two values [lower, upper], got an array of 1"),
    "limit nan": (ARM + "limits = [nan, 1]", "joints[0].limits (joint 1): must be a finite number, got nan"),
    "degrees for a slide": (
        HEAD + '[[joints]]\ntype = "prismatic"\nlimits_deg = [0, 1]',
        "joints[0].limits_deg (joint 1): a prismatic joint moves in metres; use limits",
    ),
    "angles for a slide": (
        HEAD + '[[joints]]\ntype = "prismatic"\nlimits = [0, "pi"]',
        "limits (joint 1): must be a number, got 'pi'",
    ),
    "velocity limit": (ARM + "velocity_limit = 0", "joints[0].velocity_limit (joint 1): must be more than 0, got 0"),
    "torque limit": (ARM + "torque_limit = -5", "joints[0].torque_limit (joint 1): must be more than 0, got -5"),
    "negative mass": (ARM + "mass = -1.5", "joints[0].mass (joint 1): must be 0 or more, got -1.5"),
    "some masses": (
        MASS + JOINT + JOINT + "mass = 2",
        "joints[1].mass (joint 2): missing, though other joints have one; give all",
    ),
    "com without mass": (ARM + "com = [0, 0, 1]", "joints[0].com (joint 1): needs a mass in the same joint"),
    "inertia without mass": (ARM + "inertia = [1, 1, 1]", "joints[0].inertia (joint 1): needs a mass in the same joint"),
    "short com": (MASS + "com = [0, 1]", "joints[0].com (joint 1): must be three numbers [x, y, z], got an array of 2"),
    "short inertia": (
        MASS + "inertia = [1, 1]",
        "joints[0].inertia (joint 1): must be three moments [Ixx, Iyy, Izz] or a 3×3 matrix",
    ),
    "ragged inertia": (MASS + "inertia = [[1, 0], [0, 1], [0, 0]]", "joints[0].inertia (joint 1): must be three moments"),
    "mixed inertia": (MASS + "inertia = [1, [0, 1, 0], 1]", "joints[0].inertia (joint 1): must be three moments"),
    "inertia not symmetric": (
        MASS + "inertia = [[1, 0.2, 0], [0.1, 1, 0], [0, 0, 1]]",
        "joints[0].inertia (joint 1): is not symmetric: row 1 column 2 is 0.2, the mirrored entry 0.1",
    ),
    "negative moment": (MASS + "inertia = [1, -0.5, 1]", "has a negative principal moment (-0.5, 1, 1 kg·m²)"),
    "negative moment as published": (
        MASS + 'inertia = [1, -0.5, 1]\ninertia_as_published = "a table"',
        "joints[0].inertia (joint 1): has a negative principal moment",
    ),
    "triangle inequality": (
        MASS + "inertia = [1, 1, 2.5]",
        "joints[0].inertia (joint 1): physically inconsistent principal moments 1, 1, 2.5 kg·m²",
    ),
    "excuse without need": (
        MASS + 'inertia = [1, 1, 1]\ninertia_as_published = "a table"',
        "joints[0].inertia_as_published (joint 1): is only for a physically inconsistent inertia",
    ),
    "empty excuse": (
        MASS + 'inertia = [1, 1, 3]\ninertia_as_published = " "',
        "joints[0].inertia_as_published (joint 1): must be",
    ),
    "zero gear ratio": (ARM + "gear_ratio = 0", "joints[0].gear_ratio (joint 1): must not be 0"),
    "negative rotor": (ARM + "rotor_inertia = -1", "joints[0].rotor_inertia (joint 1): must be 0 or more"),
    "negative Coulomb": (
        ARM + "friction = { coulomb = [0.1, -0.1] }",
        "joints[0].friction.coulomb (joint 1): must be 0 or more, got -0.1",
    ),
    "friction no table": (ARM + "friction = 0.1", "joints[0].friction (joint 1): must be a table, got 0.1"),
    "friction nowhere": (
        ARM + 'friction = { at = "gear" }',
        'joints[0].friction.at (joint 1): must be "joint" or "motor", got \'gear\'',
    ),
    "gravity": (HEAD + "gravity = -9.81\n" + JOINT, "gravity: must be three numbers [x, y, z], got -9.81"),
    "task": (
        HEAD + 'task = ["x", "w"]\n' + JOINT,
        "task: must be an array of names from x, y, z, rx, ry, rz, none repeated, got 'w' in it",
    ),
    "task twice": (HEAD + 'task = ["x", "x"]\n' + JOINT, "task: must be an array of names from"),
    "task of tables": (HEAD + "task = [{ a = 1 }]\n" + JOINT, "task: must be an array of names from"),
    "empty task": (HEAD + "task = []\n" + JOINT, "task: must be an array of names from"),
    "base no table": (HEAD + "base = 3\n" + JOINT, "base: must be a table, got 3"),
    "base not orthonormal": (
        HEAD + "[base]\nmatrix = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]]\n" + JOINT,
        "base.matrix: is not a pose: the rotation must be orthonormal and right-handed, the last row 0 0 0 1",
    ),
    "tool mirrored": (
        HEAD + "[tool]\nmatrix = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]]\n" + JOINT,
        "tool.matrix: is not a pose",
    ),
    "tool last row": (
        HEAD + "[tool]\nmatrix = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]]\n" + JOINT,
        "tool.matrix: is not a pose",
    ),
    "matrix too small": (HEAD + "[tool]\nmatrix = [[1, 0], [0, 1]]\n" + JOINT, "tool.matrix: must be four rows of four numbers"),
    "quaternion length": (
        HEAD + "[tool]\nquaternion = [1, 1, 0, 0]\n" + JOINT,
        "tool.quaternion: must have length 1, got 1.41421",
    ),
    "two rotations": (
        HEAD + "[tool]\nrpy = [0, 0, 1]\nquaternion = [1, 0, 0, 0]\n" + JOINT,
        "tool.quaternion: duplicates rpy; give only one of them",
    ),
    "pose too short": (
        HEAD + "[configurations]\nhome = []\n" + JOINT,
        "configurations.home: has 0 values, must have 1, one per joint",
    ),
    "pose no array": (HEAD + "[configurations]\nhome = 3\n" + JOINT, "configurations.home: must be an array, got 3"),
    "pose of texts": (HEAD + '[configurations]\nhome = ["up"]\n' + JOINT, "configurations.home[0]: must be an angle in rad"),
    "pose of booleans": (
        HEAD + "[configurations]\nhome = [true]\n" + JOINT,
        "configurations.home[0]: must be a number, got true",
    ),
    "pose nan": (HEAD + "[configurations]\nhome = [nan]\n" + JOINT, "configurations.home[0]: must be a finite number, got nan"),
    "pose zero": (HEAD + "[configurations]\nzero = [1]\n" + JOINT, "configurations.zero: is predefined with all joints at 0"),
    "pose twice": (
        HEAD + "[configurations]\nhome = [1]\n[configurations_deg]\nhome = [1]\n" + JOINT,
        "configurations_deg.home: is also given in [configurations]",
    ),
    "home outside limits": (
        HEAD + "[configurations]\nhome = [2]\n" + JOINT + "limits = [-1, 1]",
        "configurations.home: moves joint1 to 2, outside its limits -1 to 1 rad",
    ),
    "home outside limits, both in degrees": (
        HEAD + "[configurations_deg]\nhome = [100]\n" + JOINT + "limits_deg = [-90, 45]",
        "configurations_deg.home: moves joint1 to 100°, outside its limits -90 to 45°",
    ),
    "limits_deg in radians": (
        HEAD + "[configurations_deg]\nhome = [45]\n" + JOINT + "limits_deg = [-0.785, 3.927]",
        "joints[0].limits_deg (joint 1): [-0.785, 3.927] are probably radians; write degrees, or limits = [-0.785, 3.927]. "
        "configurations_deg.home moves joint1 to 45°, outside its limits -0.785 to 3.927°",
    ),
    "description": (HEAD + "description = 3\n" + JOINT, "description: must be a text, got 3"),
    "sources": (HEAD + 'sources = "a book"\n' + JOINT, "sources: must be an array, got 'a book'"),
    "not TOML": ("name = \n", "is not TOML: line 1, name =: a value is missing after ="),
    "a URDF": ("<robot name='x'/>", "is not TOML: line 1, <robot name='x'/>: this is XML; rename a URDF to .urdf"),
    "key twice": (ARM + "a = 1\na = 2", "is not TOML: line 6, a = 2: the key is given twice in its table; give it only once"),
    "empty": ("", "is empty; a robot file needs name, convention and [[joints]]"),
    "blank": (" \n\t\n", "is empty"),
    "nested arrays": ("a = " + 100_000 * "[", "is nested too deeply for a robot file"),
    "nested tables": ("a = " + 100_000 * "{a=", "is nested too deeply for a robot file"),
    "deep key": (400_000 * "a." + "a = 1", "is nested too deeply for a robot file"),
    "deep quoted key": (100_000 * '"a" . ' + "a = 1", "is nested too deeply for a robot file"),
    "deep header": ("[" + 100_000 * "a." + "a]", "is nested too deeply for a robot file"),
}


@pytest.mark.parametrize("text, expected", BAD.values(), ids=BAD)
def test_bad_file(tmp_path, text, expected):
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    message = complaint_about(path)
    assert message.startswith(f"{path}: ")
    assert expected in message


def test_where_further_faults_are_is_told(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(ARM + "a = true\nd = nan\nmass = -1")
    assert complaint_about(path).endswith("; also wrong: joints[0].d (joint 1), joints[0].mass (joint 1)")


def test_binary_file(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_bytes(b"name = \xff\xfe")
    assert "is not text: byte 7 is not UTF-8" in complaint_about(path)


def test_fifty_megabytes_are_not_read(tmp_path):
    path = tmp_path / "bad.toml"
    with path.open("wb") as stream:
        stream.truncate(50_000_000)
    assert "has 50.0 MB; a robot file may have at most 1 MB" in complaint_about(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs an endless file")
def test_file_without_a_size(tmp_path):
    """Some files of the system tell no size before they are read."""
    path = tmp_path / "zero.toml"
    path.symlink_to("/dev/zero")
    assert "is not a regular file" in complaint_about(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "pipe.toml"
    os.mkfifo(path)
    assert "is not a regular file" in complaint_about(path)


def test_missing_file(tmp_path):
    assert complaint_about(tmp_path / "none.toml").endswith("none.toml: file not found")


def test_folder(tmp_path):
    (tmp_path / "folder.toml").mkdir()
    assert "is a folder" in complaint_about(tmp_path / "folder.toml")


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(tmp_path):
    path = tmp_path / "secret.toml"
    path.write_text(ARM)
    path.chmod(0)
    assert "cannot be read: Permission denied" in complaint_about(path)
    path.chmod(stat.S_IRUSR)


def test_read_error_is_told(tmp_path, monkeypatch):
    path = tmp_path / "arm.toml"
    path.write_text(ARM)

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    assert "cannot be read: Permission denied" in complaint_about(path)


@pytest.mark.parametrize(
    "name", ["a\0b.toml", 5000 * "x" + ".toml", "\ud800.toml", "a\nb.toml", "", ".", "/", "a/b", "x.txt", "\0"]
)
def test_strange_paths(name):
    complaint_about(name)


def test_unknown_name_lists_the_robots_that_ship():
    message = complaint_about("pumma560")
    assert "did you mean puma560?" in message
    assert all(name in message for name in shipped_robots())


def test_urdf_is_not_mistaken_for_toml(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text("<robot/>")
    assert "<robot>: has no name" in complaint_about(path)


@pytest.mark.parametrize(
    "text",
    [
        999_000 * '"', 999_000 * "a", 499_000 * "a ", 499_000 * "a.", 330_000 * "'' ", 249_000 * "a = ", 330_000 * "[a]",
        90_000 * "[[a]]\n", 99_000 * "# a.b.c\n", "a = " + 499_000 * "1,", 'a = """' + 490_000 * "\\n",
    ],
)  # fmt: skip
def test_malicious_megabytes_end_soon(tmp_path, text):
    path = tmp_path / "bomb.toml"
    path.write_text(text)
    complaint_about(path)  # within the time limit of a test; a quadratic parser would take hours


def loads_or_complains(path):
    try:
        robot = load_robot(path)
    except ModelError as error:
        assert str(error).isprintable()
    else:
        assert robot.n >= 1


FUZZ = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FUZZ
@given(data=st.binary(max_size=300))
def test_any_bytes(tmp_path, data):
    path = tmp_path / "fuzz.toml"
    path.write_bytes(data)
    loads_or_complains(path)


VALUES = [
    "nan",
    "-inf",
    "1e400",
    "true",
    "-1",
    "0",
    "[]",
    "{}",
    '""',
    '"pi"',
    "[[]]",
    "[1, 2, 3]",
    "2026-11-20",
    f"{10**100}",
    "'''\n'''",
    "{a=1}",
]
TEXTS = {name: (ROBOTS / f"{name}.toml").read_text(encoding="utf-8") for name in shipped_robots()}


@FUZZ
@given(
    name=st.sampled_from(sorted(TEXTS)),
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 20), st.sampled_from(VALUES) | st.text(max_size=6)), min_size=1, max_size=4
    ),
)
def test_damaged_files(tmp_path, name, edits):
    """Shipped files with a few spans replaced."""
    text = TEXTS[name]
    for where, length, new in edits:
        start = int(where * len(text))
        text = text[:start] + new + text[start + length :]
    path = tmp_path / "fuzz.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    loads_or_complains(path)


@FUZZ
@given(
    name=st.sampled_from(sorted(TEXTS)),
    edits=st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from(VALUES)), min_size=1, max_size=3),
)
def test_values_replaced(tmp_path, name, edits):
    """Shipped files that stay TOML, with strange values in place of theirs."""
    lines = TEXTS[name].splitlines()
    settable = [
        i for i, line in enumerate(lines) if " = " in line and not line.startswith("#") and line.count("[") == line.count("]")
    ]
    for which, value in edits:
        i = settable[which % len(settable)]
        lines[i] = f"{lines[i].split(' = ')[0]} = {value}"
    path = tmp_path / "fuzz.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    loads_or_complains(path)
