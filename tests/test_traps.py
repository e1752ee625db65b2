"""Traps of this stack that cost somebody a day once; each test keeps one shut."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parent.parent
BAD_QT = "6.12.0"


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def pins() -> list[Requirement]:
    lines = (line.partition("#")[0].strip() for line in (ROOT / "constraints.txt").read_text().splitlines())
    return [Requirement(line) for line in lines if line]


def test_the_qt_that_aborts_is_excluded():
    (qt,) = (Requirement(text) for text in project()["dependencies"] if text.startswith("PySide6"))
    assert not qt.specifier.contains(BAD_QT)
    assert qt.specifier.contains("6.11.3")
    for pin in pins():
        if pin.name.lower().startswith(("pyside6", "shiboken6")):
            assert pin.specifier != SpecifierSet(f"=={BAD_QT}")
    assert version("PySide6_Essentials") != BAD_QT


EMITS = """
from PySide6.QtCore import QCoreApplication, QObject, Signal

class Source(QObject):
    flag = Signal(bool)
    number = Signal(int)
    anything = Signal(object)

app = QCoreApplication([])
source, seen = Source(), []
for signal in (source.flag, source.number, source.anything):
    signal.connect(seen.append)
for i in range(5000):
    source.flag.emit(i % 2 == 0)
    source.number.emit(i)
    source.anything.emit((i,))
assert len(seen) == 15000 and seen[:3] == [True, 0, (0,)]
print("survived")
"""


def test_five_thousand_emits_from_python_survive():
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", EMITS], capture_output=True, text=True, timeout=PROCESS)
    assert (done.returncode, done.stdout.strip()) == (0, "survived"), done.stderr


def test_constraints_pin_exact_versions_and_nothing_else():
    text = (ROOT / "constraints.txt").read_text()
    assert "://" not in text and "--" not in text
    for pin in pins():
        assert [spec.operator for spec in pin.specifier] == ["=="], pin
        assert pin.url is None and "*" not in str(pin.specifier), pin


def test_every_declared_dependency_is_pinned_within_its_range():
    wanted = [*project()["dependencies"], *(text for extra in project()["optional-dependencies"].values() for text in extra)]
    pinned = {pin.name.lower().replace("_", "-"): next(iter(pin.specifier)).version for pin in pins()}
    for requirement in map(Requirement, wanted):
        assert requirement.specifier.contains(pinned[requirement.name.lower().replace("_", "-")]), requirement


def test_the_engine_imports_without_qt():
    code = (
        "import sys, engine; "
        "print([name for name in sys.modules if name.startswith(('PySide6', 'pyqtgraph', 'OpenGL', 'armature.app'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PROCESS, cwd=ROOT)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_gl_contexts_are_shared_before_the_application_exists():
    code = (
        "from PySide6.QtCore import QCoreApplication, Qt; import armature.app.application as p; p.ensure_application(); "
        "print(QCoreApplication.testAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PROCESS, cwd=ROOT)
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr


def test_no_file_names_somebodys_machine_or_package_index():
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, cwd=ROOT)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    secret = re.compile(rb"(?<![\w.])/(?:home|root|Users)/\w|--?(?:extra-)?index-" + rb"url|--find-" + rb"links")
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.suffix != ".png" and path.is_file() and secret.search(path.read_bytes()):
            found.append(name)
    assert not found
