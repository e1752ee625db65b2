"""What the scripts around the tests decide."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "newer_python.sh"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts")


@pytest.fixture
def machine(tmp_path):
    """A checkout on a machine that has these interpreters: a version each, or None for one that does not start."""

    def made(pythons: dict[str, int | None], pyenv: tuple[int, ...] = (), **environment) -> str:
        def stand_in(path: Path, minor: int | None) -> None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("#!/bin/sh\nexit 127\n" if minor is None else f"#!/bin/sh\necho {minor}\n")
            path.chmod(0o755)

        for name, minor in pythons.items():
            stand_in(tmp_path / name, minor)
        for minor in pyenv:
            stand_in(tmp_path / "pyenv" / "versions" / f"3.{minor}.0" / "bin" / "python3", minor)
        script = tmp_path / "scripts" / SCRIPT.name
        script.parent.mkdir()
        script.write_text(SCRIPT.read_text())
        clean = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "PYENV_ROOT": str(tmp_path / "pyenv"), "HOME": str(tmp_path)}
        done = subprocess.run(["bash", script], env=clean | environment, capture_output=True, text=True, timeout=PROCESS)
        assert done.returncode == 0 and not done.stderr, done
        return os.path.relpath(done.stdout.strip(), tmp_path) if done.stdout else ""

    return made


OWN = {".venv/bin/python": 11}


@pytest.mark.parametrize(
    ("pythons", "pyenv", "found"),
    [
        ({**OWN, "bin/python3.13": 13, "bin/python3.12": 12, "bin/python3.14": None}, (), "bin/python3.13"),
        ({**OWN, "bin/python3.13": None, "bin/python3.14": None, "bin/python3.12": 12}, (), "bin/python3.12"),
        (
            {**OWN, "bin/python3.13": None, "bin/python3.12": None, "bin/python3.14": None},
            (13,),
            "pyenv/versions/3.13.0/bin/python3",
        ),
        ({**OWN, "bin/python3.13": None, "bin/python3.12": None, "bin/python3.14": None}, (), ""),
        ({".venv/bin/python": 13, "bin/python3.13": 13, "bin/python3.12": 12, "bin/python3.14": 14}, (), "bin/python3.14"),
        ({".venv/bin/python": 14, "bin/python3.13": 13, "bin/python3.12": 12, "bin/python3.14": 14}, (13,), ""),
        ({"bin/python3": 12, "bin/python3.13": 13}, (), "bin/python3.13"),
    ],
    ids=[
        "the proven one first",
        "a shim that starts nothing",
        "pyenv",
        "none",
        "above that of .venv",
        "none above",
        "no .venv yet",
    ],
)
def test_a_newer_python_is_found_where_there_is_one(machine, pythons, pyenv, found):
    assert machine(pythons, pyenv) == found


def test_a_newer_python_can_be_chosen_or_left_out(machine, tmp_path):
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\necho 14\n")
    other.chmod(0o755)
    assert machine({**OWN, "bin/python3.13": 13}, NEWER_PYTHON=str(other)) == "other"


def test_none_is_wanted(machine):
    assert machine({**OWN, "bin/python3.13": 13}, NEWER_PYTHON="") == ""


# .ci/run, in a checkout whose scripts only say what they were requested


FLAKY, OTHER = "tests/test_x.py::test_y[a b]", "tests/test_x.py::test_z"


@pytest.fixture
def ci(tmp_path):
    """Return a function that runs .ci/run and returns its exit status and printed lines.

    `newer` is the interpreter found, `failed` the tests that fail in the whole run, `again` ends each of them when it is run
    alone, `known` is the list of tests that may fail, `hangs` the start of a command that times out.
    """

    def made(
        newer: str,
        setup: str = "exit 0",
        engine: str = "exit 0",
        everything: str = "true",
        failed: tuple[str, ...] = (),
        again: str = "exit 0",
        known: str = "",
        docs: str = "true",
        lint: str = "true",
        hangs: str = "nothing",
    ) -> tuple[int, list[str]]:
        say = 'echo "$(basename "$0") $*"'
        cache = ".pytest_cache/v/cache"
        files = {
            ".ci/run": (ROOT / ".ci" / "run").read_text(),
            ".ci/flaky.py": (ROOT / ".ci" / "flaky.py").read_text(),
            ".ci/known_flaky.toml": known,
            "scripts/newer_python.sh": f"echo {newer}",
            "scripts/setup.sh": f'touch .venv/.installed-test\nif [ -n "$ARMATURE_VENV" ]; then echo "with $PYTHON"; {setup}; fi',
            ".venv-newer/bin/python": f'[ "$1" = --version ] && echo Python 3.13.0 && exit\n{say}\n{engine}',
            ".venv/bin/python": f'[ "$2" = tests.time_limits ] && echo 3 && exit\n'
            f'[ "$1" = .ci/flaky.py ] && exec {sys.executable} "$@"\n{say}\n{again}',
            "bin/timeout": f'case "${{*:3}}" in {hangs}*) exit 124 ;; esac\nexec "${{@:3}}"',
            "failed.json": json.dumps(dict.fromkeys(failed, True)),
        }
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            is_script = path.suffix in ("", ".sh") and not text.startswith("#!")
            path.write_text(f"#!/bin/bash\n{text}\n" if is_script else text)
            path.chmod(0o755)
        fails = ["mkdir -p " + cache, f"cp failed.json {cache}/lastfailed", "false"] if failed else []
        recipes = {
            "test": ["echo '== 7 passed in 1s =='", "echo LONG=$(LONG) times $$ARMATURE_TIME_FACTOR", everything, *fails],
            "lint": ["echo linted", lint],
            "docs": ["echo documented", docs],
        }
        rules = (f"{target}:\n" + "".join(f"\t@{line}\n" for line in lines) for target, lines in recipes.items())
        (tmp_path / "Makefile").write_text("".join(rules))
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # this may run in a make
        clean["PATH"] = f"{tmp_path / 'bin'}:{clean['PATH']}"
        done = subprocess.run([tmp_path / ".ci" / "run"], env=clean, capture_output=True, text=True, timeout=PROCESS)
        return done.returncode, done.stdout.splitlines() + done.stderr.splitlines()

    return made


ENGINE = "python -m pytest -n 2 --dist loadfile --max-worker-restart 0 -m not soak --cases 2 tests/engine"
LAST = "== 7 passed in 1s =="


def test_ci_tests_the_engine_under_the_newer_python_too(ci):
    code, said = ci("/somewhere/python3.13")
    assert code == 0 and said[-1] == LAST and "linted" in said
    assert said.index(LAST) < said.index("--- the engine's tests under Python 3.13.0") < said.index(ENGINE)


def test_ci_says_that_there_is_none_and_goes_on(ci):
    code, said = ci("")
    assert code == 0 and ENGINE not in said and "linted" in said and said[-1] == LAST
    assert any("No Python newer" in line for line in said) and not any(line.startswith("flaky: ") for line in said)


def test_ci_runs_the_long_tests_with_the_measured_time_limits(ci):
    assert "LONG=1 times 3" in ci("")[1]


def test_ci_fails_where_the_newer_python_does(ci):
    code, said = ci("/somewhere/python3.13", engine="exit 1")
    assert code == 1 and "linted" in said and said[-1] == LAST


def test_ci_fails_and_says_why_where_the_newer_one_cannot_be_set_up(ci):
    code, said = ci("/somewhere/python3.13", setup="echo no wheel for it; exit 3")
    assert code == 3 and "no wheel for it" in said and "with /somewhere/python3.13" in said and "linted" in said


def test_ci_fails_where_the_documentation_does(ci):
    code, said = ci("", docs="false")
    assert code == 2 and "documented" in said and LAST in said


def test_ci_fails_where_a_linter_does_and_shows_what_it_said(ci):
    code, said = ci("", lint="false")
    assert code == 2 and "linted" in said and "documented" in said and LAST in said


def alone(test: str) -> str:
    return f"python -m pytest {test}"


def test_ci_fails_where_a_test_does_and_shows_whether_it_always_fails(ci):
    code, said = ci("/somewhere/python3.13", failed=(FLAKY, OTHER), again=f'[ "$3" = "{FLAKY}" ]')
    assert code == 2 and ENGINE in said and "linted" in said
    assert said.count(alone(FLAKY)) == said.count(alone(OTHER)) == 1
    assert said[said.index(LAST, said.index("linted")) - 1] == f"flaky: {FLAKY}" and f"flaky: {OTHER}" not in said


CRASHES = {
    "a lost worker": "echo '[gw0] node down: Not properly terminated'",
    "a crashed test": "echo \"worker 'gw0' crashed while running 'tests/test_x.py::test_y'\"",
    "a crash at the end": "echo 'Fatal Python error: Segmentation fault'",
}


@pytest.mark.parametrize("crash", CRASHES)
@pytest.mark.parametrize("failed", [(), (FLAKY,)], ids=["exit status 0", "a failed test"])
def test_ci_fails_after_a_crash_and_starts_nothing_again(ci, crash, failed):
    code, said = ci("", everything=CRASHES[crash], failed=failed, known=listed())
    assert code == (2 if failed else 1) and alone(FLAKY) not in said and said.count("LONG=1 times 3") == 1
    assert "--- a process crashed, hung or was lost, see above" in said


@pytest.mark.parametrize("command", ["make\\ test", ".venv-newer/bin/python"])
def test_ci_fails_after_a_hang_and_starts_nothing_again(ci, command):
    newer = "" if command.startswith("make") else "/somewhere/python3.13"
    code, said = ci(newer, hangs=command, known=listed())
    assert code == 124 and "--- a process crashed, hung or was lost, see above" in said and "linted" in said
    assert not any("alone" in line for line in said) and said.count("LONG=1 times 3") == bool(newer)


def test_ci_fails_after_a_crash_under_the_newer_python(ci):
    assert ci("/somewhere/python3.13", engine=CRASHES["a crash at the end"])[0] == 1


def listed(test: str = FLAKY, entered: int = -1, expires: int = 13, reason: str = "Its cause is being looked for.") -> str:
    """An entry of the list, with days from today."""
    days = [date.today() + timedelta(days=days) for days in (entered, expires)]
    return f'[[test]]\nid = "{test}"\nreason = "{reason}"\nentered = {days[0]}\nexpires = {days[1]}\n'


def test_ci_passes_where_only_a_listed_test_is_flaky(ci):
    code, said = ci("", failed=(FLAKY,), known=listed())
    assert code == 0 and f"flaky: {FLAKY}" in said


def test_ci_fails_where_a_listed_test_always_fails_or_another_is_flaky(ci):
    assert ci("", failed=(FLAKY,), known=listed(), again="exit 1")[0] == 2
    assert ci("", failed=(FLAKY, OTHER), known=listed())[0] == 2


@pytest.mark.parametrize(
    ("known", "why"),
    [
        ("".join(listed(f"tests/test_x.py::test_{k}") for k in range(4)), "4 entries, at most 3 are allowed"),
        (listed(entered=-3, expires=-1), "expired on"),
        (listed(entered=-1, expires=14), "ends after 14 days"),
        (listed(entered=1, expires=2), "begins today at the latest"),
        (listed(reason=" "), "an entry has id, reason"),
        (f'[[test]]\nid = "{FLAKY}"\n', "an entry has id, reason"),
    ],
    ids=["a fourth", "expired", "too long", "in the future", "no reason", "no dates"],
)
def test_ci_fails_where_the_list_breaks_a_rule_though_all_tests_pass(ci, known, why):
    code, said = ci("", known=known)
    assert code == 1 and any(why in line for line in said)


def test_the_list_of_this_repository_keeps_the_rules():
    done = subprocess.run([sys.executable, ".ci/flaky.py", "check"], cwd=ROOT, capture_output=True, text=True, timeout=PROCESS)
    assert (done.returncode, done.stderr) == (0, "")
