"""What is installed and where its things lie: told by the window and by a command, from one place."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton

from armature.app import installation
from armature.engine.version import VERSION
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[2]


def test_about_tells_what_the_command_tells_and_who_draws(window):
    window.actions_["about"].trigger()
    dialog = window.findChild(QDialog, "about_dialog")
    text = dialog.findChild(QPlainTextEdit, "about_text").toPlainText()
    QTest.mouseClick(dialog.findChild(QPushButton, "about_copy"), Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == text
    told = installation.as_text(installation.facts())
    assert [line.split() for line in text.splitlines()[:-1]] == [line.split() for line in told.splitlines()]
    assert re.search(r"^OpenGL +.*llvmpipe.* \(software", text.splitlines()[-1])
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_the_command_needs_no_qt_and_tells_the_same(tmp_path):
    code = "import sys; from armature.app.cli import main; main(['info', '--paths']); assert 'PySide6' not in sys.modules"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PROCESS
    )
    assert (done.returncode, done.stderr) == (0, "")
    facts = dict(re.split(r" {2,}", line, maxsplit=1) for line in done.stdout.splitlines())
    assert facts["cache"] == str(tmp_path / "armature") and facts["compiled kernels"] == "none yet"
    assert facts["settings"] == installation.settings_file() == QSettings("Armature", "Armature").fileName()
    assert facts["Armature"] == VERSION


def test_every_package_that_is_needed_is_told():
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert {re.match(r"[\w-]+", name).group() for name in needed} <= set(installation.PACKAGES)
