"""What is built besides the plain wheel: one with kernels, and the recipe of the program with its own Python."""

from __future__ import annotations

import configparser
import json
import os
import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from armature.app.installation import PACKAGES
from armature.app.state.recognised_file import RECORDINGS, ROBOTS
from armature.engine import kernel_target
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[1]
BUNDLE = ROOT / "bundle"
CONTENTS = runpy.run_path(str(BUNDLE / "contents.py"))
SPEC = (BUNDLE / "armature.spec").read_text("utf-8")
TYPES = {"mime": "http://www.freedesktop.org/standards/shared-mime-info"}


def desktop() -> configparser.SectionProxy:
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(BUNDLE / "linux" / "armature.desktop", "utf-8")
    return entry["Desktop Entry"]


# a wheel with kernels


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """One kernel and its manifest, packed as `make wheel` packs all."""
    folder = tmp_path_factory.mktemp("wheel")
    kernels = folder / "kernels"
    (kernels / "kernels").mkdir(parents=True)
    (kernels / "kernels" / "one.kernel").write_bytes(b"code")
    (kernels / kernel_target.MANIFEST.name).write_text(json.dumps(kernel_target.conditions()))
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"ARMATURE_COMPILED": str(kernels)}, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


def test_a_wheel_with_kernels_is_for_one_python(wheel):
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert wheel.name.endswith(f"-{python}-{python}-manylinux_2_17_x86_64.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "armature/compiled/kernels/one.kernel" in names and "armature/compiled/made_for.json" in names


def test_it_asks_for_the_numba_that_can_read_them_and_the_plain_wheel_does_not(wheel):
    made_for = kernel_target.conditions()
    (metadata,) = (name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".dist-info/METADATA"))
    needed = re.findall(r"^Requires-Dist: (.*)$", zipfile.ZipFile(wheel).read(metadata).decode(), re.MULTILINE)
    assert {f"numba=={made_for['numba']}", f"llvmlite=={made_for['llvmlite']}"} <= set(needed)
    assert not [name for name in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"] if "==" in name]


# the program with its own Python


def test_the_recipe_names_what_only_a_name_leads_to():
    """Modules that the code imports by a string, which PyInstaller does not see, as far as the program brings them."""
    sources = [path.read_text("utf-8") for room in ("app", "engine") for path in (ROOT / room).rglob("*.py")]
    named = {name for text in sources for name in re.findall(r'(?:import_module|find_spec)\("([a-z_]+)"\)', text)}
    assert "mujoco" in named
    assert named - set(CONTENTS["LEFT_OUT"]) <= set(CONTENTS["HIDDEN"])
    assert {"scipy.linalg.cython_blas", "scipy.linalg.cython_lapack"} <= set(CONTENTS["HIDDEN"])  # numba's matrix products


def test_packages_that_open_files_of_their_own_come_with_these():
    needed = {name for name in ("ziamath", "ziafont", "latex2mathml", "collada") if find_spec(name)}
    assert needed <= set(CONTENTS["WITH_DATA"])
    assert "copy_metadata(name)" in SPEC and "for name in PACKAGES" in SPEC and PACKAGES
    assert 'module_collection_mode={PACKAGE: "pyz+py"}' in SPEC  # kernels are known again by the text of their modules


@pytest.mark.parametrize(
    "name",
    [
        "armature/assets/icons/armature.svg",
        "armature/compiled/kernels/one.kernel",
        "armature/robots/puma560.toml",
        "armature/engine/kinematics/poses.py",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "PySide6/Qt/plugins/imageformats/libqsvg.so",
        "libQt6Widgets.so.6",
        "ziafont/fonts/DejaVuSans.ttf",
    ],
)
def test_what_the_program_opens_is_left_in(name):
    assert CONTENTS["is_needed"](name)


def test_nothing_of_the_package_is_left_out():
    rooms = ("armature", "app", "engine", "robots", "assets")
    listed = subprocess.run(["git", "ls-files", *rooms], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a checkout of git")
    kept = [name for name in listed.stdout.splitlines() if not name.startswith("assets/screenshots/")]
    assert [name for name in kept if not CONTENTS["is_needed"](f"armature/{name}")] == []


@pytest.mark.parametrize("name", ["PySide6/Qt/qml/QtQuick/x.so", "libQt6Quick.so.6", "libgtk-3.so.0", "scipy/fft/tests/x.py"])
def test_what_it_does_not_need_is_left_out(name):
    assert not CONTENTS["is_needed"](name)


def test_a_process_of_the_program_is_begun_as_a_python_would_be():
    entry = [sys.executable, str(BUNDLE / "entry.py")]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for arguments in (["--version"], ["-m", "armature", "--version"], ["-P", "-m", "armature", "--version"]):
        done = subprocess.run([*entry, *arguments], env=environment, capture_output=True, text=True, timeout=PROCESS)
        assert done.stdout.startswith("Armature "), done
    other = subprocess.run([*entry, "-m", "http.server"], env=environment, capture_output=True, text=True, timeout=PROCESS)
    assert other.returncode == 1 and "no module of the program" in other.stderr


# files that the desktop opens with it


def test_the_desktop_entry_names_types_that_are_described_or_known_everywhere():
    root = ET.parse(BUNDLE / "linux" / "armature-types.xml").getroot()
    own = {entry.get("type") for entry in root.findall("mime:mime-type", TYPES)}
    listed = set(desktop()["MimeType"].strip(";").split(";"))
    assert own <= listed and listed - own == {"application/toml", "text/csv"}
    assert desktop()["Exec"] == "armature %f" and (ROOT / "assets/icons" / f"{desktop()['Icon']}.svg").is_file()


def test_the_program_opens_what_the_desktop_hands_to_it():
    root = ET.parse(BUNDLE / "linux" / "armature-types.xml").getroot()
    suffixes = {glob.get("pattern", "").removeprefix("*") for glob in root.findall(".//mime:glob", TYPES)}
    assert suffixes >= {".urdf", ".xacro", ".mcap", ".npz"}
    assert ".toml" not in suffixes  # files of many programs: Armature is offered for them and takes none
    assert suffixes <= {*RECORDINGS, *ROBOTS}


@pytest.mark.skipif(sys.platform != "linux", reason="a desktop of Linux")
def test_it_is_put_into_the_menu_and_taken_out_again(tmp_path):
    folder = tmp_path / "a folder & more"
    (folder / "share").mkdir(parents=True)
    (folder / "install.sh").write_bytes((BUNDLE / "linux" / "install.sh").read_bytes())
    for name in ("linux/armature.desktop", "linux/armature-types.xml", "icons/armature.png", "../assets/icons/armature.svg"):
        (folder / "share" / Path(name).name).write_bytes((BUNDLE / name).read_bytes())
    home = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    subprocess.run(["sh", str(folder / "install.sh")], env=home, check=True, capture_output=True)
    entry = tmp_path / "home/.local/share/applications/armature.desktop"
    assert f'Exec="{folder}/armature" %f' in entry.read_text("utf-8").splitlines()
    assert (tmp_path / "home/.local/bin/armature").readlink() == folder / "armature"
    subprocess.run(["sh", str(folder / "install.sh"), "--remove"], env=home, check=True, capture_output=True)
    left = [path.name for path in (tmp_path / "home").rglob("*") if not path.is_dir() and path.name.startswith("armature")]
    assert left == []
