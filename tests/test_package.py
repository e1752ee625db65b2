"""Armature as a package: what the wheel holds, and that it works where there is no checkout."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import armature
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[1]
PYTHON = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
ROOMS = {
    "app": "armature/app",
    "engine": "armature/engine",
    "robots": "armature/robots",
    "assets": "armature/assets",
    "docs": "armature/docs",
}


def run(command, folder, **environment):
    """What a command printed; the checkout is nowhere on its path."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MAKE"))}
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=clean | environment, capture_output=True, text=True, timeout=PROCESS
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, ROOT], folder)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The scripts of an environment with the wheel in it, and with the libraries of this one, but not its Armature."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True, with_pip=False)
    scripts = folder / ("Scripts" if sys.platform == "win32" else "bin")
    python = scripts / "python"
    run([sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel], folder)
    site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip()
    Path(site, "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")  # its own .pth files are not read then
    return scripts


@pytest.fixture
def python(installed) -> Path:
    return installed / "python"


def contents(wheel: Path) -> dict[str, int]:
    """The check sum of every file of a wheel but those about it."""
    return {entry.filename: entry.CRC for entry in zipfile.ZipFile(wheel).infolist() if ".dist-info/" not in entry.filename}


# what the wheel holds


def test_the_wheel_brings_one_name(wheel):
    names = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert names == {"armature", f"armature-{armature.__version__}.dist-info"}


def test_the_wheel_holds_every_file_that_the_program_opens(wheel):
    listed = subprocess.run(["git", "ls-files", *ROOMS, "armature"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout of git")
    there = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    needed = {name for name in there if not name.startswith("assets/screenshots/")}
    needed -= {name for name in needed if name.startswith("docs/") and not name.endswith((".md", ".webp"))}
    packed = {re.sub(r"^(\w+)", lambda room: ROOMS.get(room[1], room[1]), name) for name in needed}
    assert len(packed) > 400
    assert packed == set(contents(wheel))


def test_a_wheel_from_the_source_package_is_the_same(wheel, tmp_path):
    run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path], ROOT)
    (packed,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = (path for path in tmp_path.iterdir() if path.is_dir())
    run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", tmp_path, source], tmp_path)
    (again,) = tmp_path.glob("*.whl")
    assert contents(again) == contents(wheel)


def test_the_page_of_the_package_leads_nowhere_that_is_not_there(wheel):
    page = zipfile.ZipFile(wheel).read(f"armature-{armature.__version__}.dist-info/METADATA").decode()
    assert "## Five things to try" in page and "armature.load_robot" in page
    assert not re.findall(r"\]\((?!https?://|#)", page)


# what works in an environment of its own, from an empty folder


@pytest.mark.parametrize("started", [["armature"], ["python", "-m", "armature"]], ids=" ".join)
def test_it_starts(installed, tmp_path, started):
    command = [installed / started[0], *started[1:]]
    assert "six revolute joints" in run([*command, "info", "puma560"], tmp_path)
    assert run([*command, "--version"], tmp_path).strip() == f"Armature {armature.__version__}"


def test_the_commands_work(installed, tmp_path):
    command = [installed / "armature"]
    run([*command, "simulate", "panda", "--duration", "0.05", "--q0", "ready", "--record", "fall.csv"], tmp_path)
    run([*command, "convert", "fall.csv", "fall.mat"], tmp_path)
    run([*command, "plot", "fall.csv", "fall.svg"], tmp_path)
    assert {path.name for path in tmp_path.iterdir()} >= {"fall.csv", "fall.mat", "fall.svg"}


def test_a_screenshot_is_drawn(installed, tmp_path):
    run([installed / "armature", "screenshot", "scara", "scara.png", "--size", "400x300", "--show", "frames"], tmp_path)
    assert (tmp_path / "scara.png").stat().st_size > 5000


def test_the_window_opens(python, tmp_path):
    script = (
        "from PySide6.QtTest import QTest\n"
        "from armature.app.application import build_window, ensure_application\n"
        "from armature.app.state.settings import MemoryStore\n"
        "ensure_application()\n"
        "window = build_window('panda', MemoryStore())\n"
        "window.show()\n"
        "assert QTest.qWaitForWindowExposed(window)\n"
        "QTest.qWait(200)\n"
        "print(window.windowTitle(), window.grab().width())\n"
        "window.close()\n"
    )
    assert "Panda" in run([python, "-c", script], tmp_path)


def test_nothing_comes_from_the_checkout(python, tmp_path):
    script = (
        "import sys\n"
        f"opened, root = [], {str(ROOT)!r}\n"
        "here = lambda path: isinstance(path, str) and path.startswith(root + '/') and '/.venv' not in path\n"
        "sys.addaudithook(lambda event, args: event == 'open' and here(args[0]) and opened.append(args[0]))\n"
        "import armature, armature.app.cli\n"
        "armature.app.cli.main(['info', 'stanford'])\n"
        "print(opened)\n"
    )
    assert run([python, "-c", script], tmp_path).endswith("[]\n")


def test_the_example_of_the_engine_runs(python, tmp_path):
    code = re.findall(r"```python\n(.*?)```", PYTHON, re.DOTALL)[0]  # the other examples have tests of their own
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    assert run([python, "example.py"], tmp_path).strip()
    assert (tmp_path / "swing.csv").exists()


def test_the_example_of_the_engine_passes_a_strict_type_checker(python, tmp_path):
    pytest.importorskip("mypy")
    code = re.findall(r"```python\n(.*?)```", PYTHON, re.DOTALL)[0]  # the other examples have tests of their own
    types = {"arm": "Robot", "found": "IKResult", "run": "Recording", "path": "Trajectory", "law": "Controller"}
    script = tmp_path / "example.py"
    script.write_text(code + "".join(f"reveal_type({name})\n" for name in types), encoding="utf-8")
    options = ["--strict", "--follow-imports=silent", "--python-executable", python, "--cache-dir", tmp_path / "cache"]
    said = run([sys.executable, "-m", "mypy", *options, script], tmp_path)
    revealed = [text.rsplit(".", 1)[-1] for text in re.findall(r'Revealed type is "([^"]+)"', said)]
    assert revealed == list(types.values())


def test_the_engine_works_where_there_is_no_qt(python, tmp_path):
    script = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(('PySide6', 'shiboken6', 'pyqtgraph', 'OpenGL')))\n"  # importing them fails
        "import armature\n"
        "arm = armature.load_robot('puma560')\n"
        "print(armature.rnea(arm, [0.0] * 6, [0.0] * 6, [0.0] * 6).shape)\n"
        "import importlib.util\n"
        "print(importlib.util.find_spec('engine'), importlib.util.find_spec('app'))\n"
    )
    assert run([python, "-c", script], tmp_path) == "(6,)\nNone None\n"


def test_a_pickle_made_there_opens_here_and_the_other_way(python, tmp_path):
    make = "import armature, pickle; pickle.dump(armature.load_robot('scara'), open('there.pickle', 'wb'))"
    run([python, "-c", make], tmp_path)
    assert pickle.loads((tmp_path / "there.pickle").read_bytes()).name == "scara"
    (tmp_path / "here.pickle").write_bytes(pickle.dumps(armature.load_robot("scara")))
    assert run([python, "-c", "import pickle; print(pickle.load(open('here.pickle', 'rb')).name)"], tmp_path) == "scara\n"


# one identity per module


def test_every_public_thing_says_where_it_is():
    public = {name: getattr(armature, name) for name in armature.__all__ if not name.startswith("__")}
    assert not {name for name, thing in public.items() if not thing.__module__.startswith("armature.")}


def test_the_engine_of_a_checkout_has_an_alias_and_no_file_runs_twice():
    script = (
        "import sys\n"
        "import engine\n"
        "from engine import dynamics, rnea\n"
        "import armature, armature.app.cli, armature.engine.dynamics.newton_euler\n"
        "assert engine is armature.engine and dynamics is armature.engine.dynamics and rnea is armature.rnea\n"
        "for name in ('engine.dynamics', 'engine.dynamics.newton_euler', 'engine.jit', 'app', 'app.cli'):\n"
        "    try:\n"
        "        __import__(name)\n"
        "    except ImportError:\n"
        "        continue\n"
        "    print(name)\n"
        "files = {}\n"
        "for module in list(sys.modules.values()):\n"
        "    if getattr(module, '__file__', None):\n"
        "        files.setdefault(os.path.realpath(module.__file__), set()).add(id(module))\n"
        "print([file for file, modules in files.items() if len(modules) > 1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import os\n{script}"], cwd=ROOT, capture_output=True, text=True, timeout=PROCESS
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_checkout_without_links_says_how_to_make_them(tmp_path):
    cloned = ["git", "clone", "-q", "--shared", "-c", "core.symlinks=false", ROOT, "checkout"]
    if subprocess.run(cloned, cwd=tmp_path, check=False).returncode:
        pytest.skip("not a checkout of git")
    start = [sys.executable, "main.py", "--version"]
    done = subprocess.run(start, cwd=tmp_path / "checkout", capture_output=True, text=True, timeout=PROCESS)
    line = done.stderr.splitlines()[-1]
    assert done.returncode and line.startswith("ImportError: this checkout has plain files instead of symbolic links")
    for command in re.findall("`(git .*?)`", line):
        run(command.split(), tmp_path / "checkout")
    assert run(start, tmp_path / "checkout").startswith("Armature ")


@pytest.mark.parametrize("file", ["app/kinematics/panel.py", "armature/app/kinematics/panel.py"])
def test_an_editor_finds_a_definition(file):
    """`jedi` reads text only."""
    jedi = pytest.importorskip("jedi")
    lines = (ROOT / file).read_text("utf-8").splitlines()
    imports = [(number, line) for number, line in enumerate(lines, 1) if line.startswith("from armature")]
    here = jedi.api.environment.InterpreterEnvironment()  # without a process and its thread
    script = jedi.Script(path=ROOT / file, project=jedi.Project(ROOT, smart_sys_path=False), environment=here)
    found = [script.goto(number, len(line), follow_imports=True) for number, line in imports]
    assert imports and all(found)
    assert all(definition.module_path.resolve().is_relative_to(ROOT) for place in found for definition in place)


@pytest.mark.parametrize("before", [True, False], ids=["found before", "found after"])
def test_a_package_of_somebody_else_keeps_its_name(tmp_path, before):
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("mine = True\n")
    (tmp_path / "app" / "cli.py").write_text("mine = True\n")
    script = "import armature.app.cli\nimport app, app.cli\n" if not before else "import app\nimport armature.app.cli, app.cli\n"
    script += "assert app.mine and app.cli.mine and app is not armature.app\n"
    run([sys.executable, "-c", script], tmp_path)
