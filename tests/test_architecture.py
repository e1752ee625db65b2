"""The page on the architecture says what is there, and what is there stays a house one can walk through."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from armature import engine
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
PARAMETERS = 11  # of a function, kernels included
WALKS = dict(re.findall(r"^### (.+?)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))


def test_every_file_and_folder_that_the_page_names_is_there():
    named = re.findall(r"`((?:app|engine)/[\w/.]*)`", PAGE)
    assert len(named) > 40
    assert not [name for name in named if not (ROOT / name).exists()]


LONGEST = {
    "Slider to picture": 16,
    "Snapshot to plot": 16,
    "Robot file to Robot": 16,
    "Step to file": 16,
    "Log to Recording": 16,
    "Gain to running kernel": 12,
    "Command `simulate` to file": 20,
}


def test_there_are_seven_walks():
    assert list(WALKS) == list(LONGEST)


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_is_short_and_lists_no_file_twice(walk):
    files = re.findall(r"^\d+\. `([\w/]+\.py)`", WALKS[walk], re.MULTILINE)
    assert files == re.findall(r"`([\w/]+\.py)`", WALKS[walk])
    assert 2 < len(files) <= LONGEST[walk] and len(set(files)) == len(files)


@pytest.mark.parametrize("package", ["app", "engine"])
def test_the_picture_has_the_floors_of_the_contracts(package):
    """Every module of the package is on a floor: the contracts are exhaustive."""
    (floors,) = [c["layers"] for c in CONTRACTS if c["type"] == "layers" and c["containers"] == [f"armature.{package}"]]
    (picture,) = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)
    picture = picture.split("▼")[package == "engine"]
    drawn = [re.split(r" {4,}", line[8:])[0] for line in picture.splitlines() if line[8:9].isalpha()]
    assert [floor.split(" · ") for floor in drawn] == [floor.split(" | ") for floor in floors]


def test_no_function_takes_a_heap():
    """What belongs together is a tuple. Parameters of public functions that are told by name only are not counted."""
    heaps = {}
    for path in (path for package in ("app", "engine") for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                named = [] if node.name in engine.__all__ else node.args.kwonlyargs
                taken = [p.arg for p in (*node.args.posonlyargs, *node.args.args, *named) if p.arg not in ("self", "cls")]
                heaps[f"{path.relative_to(ROOT)}: {node.name}"] = len(taken)
    assert len(heaps) > 5000
    assert not {function: count for function, count in heaps.items() if count > PARAMETERS}


def test_no_room_of_the_engine_hides_a_function_of_it():
    """Importing a package binds its name in the package above, over whatever was there."""
    rooms = {folder.name for folder in (ROOT / "engine").iterdir() if (folder / "__init__.py").is_file()}
    assert not rooms & set(engine.__all__)


def test_logic_apart_from_qt_is_named_in_full():
    """Each module that the contract keeps without Qt is there."""
    (logic,) = [c["source_modules"] for c in CONTRACTS if c["name"] == "Logic stands apart from Qt"]
    assert len(logic) > 60
    assert not [name for name in logic if importlib.util.find_spec(name) is None]


def imports_of_the_program() -> dict[str, set[str]]:
    """What every module of app/ imports, also for types and inside functions; of other packages their first name."""
    files = {".".join(("armature", *path.relative_to(ROOT).with_suffix("").parts)): path for path in (ROOT / "app").rglob("*.py")}
    found: dict[str, set[str]] = {}
    for module, path in files.items():
        names = found.setdefault(module, set())
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names |= {f"{node.module}.{alias.name}" for alias in node.names} & files.keys() or {node.module}
        found[module] = {name if name in files else name.partition(".")[0] for name in names}
    return found


def reached(start: set[str], arrows: dict[str, set[str]]) -> set[str]:
    """All that the arrows lead to, with the start."""
    seen, rest = set(), list(start)
    while rest:
        module = rest.pop()
        if module not in seen:
            seen.add(module)
            rest += arrows.get(module, ())
    return seen


def test_the_contract_has_all_logic_that_is_apart_from_qt():
    """What reaches no Qt is listed, or imported by what is listed."""
    (contract,) = [c for c in CONTRACTS if c["name"] == "Logic stands apart from Qt"]
    imports = imports_of_the_program()
    importers: dict[str, set[str]] = {}
    for module, names in imports.items():
        for name in names:
            importers.setdefault(name, set()).add(module)
    free = imports.keys() - reached(set(contract["forbidden_modules"]), importers)
    assert len(free) > 200
    left_out = free - reached(set(contract["source_modules"]), imports)
    assert sorted(module for module in left_out if not module.endswith("__init__")) == []


def test_the_window_comes_before_what_takes_long_to_import():
    late = {"numba", "scipy", "llvmlite", "mcap", "ruckig", "collada"}
    window = "import sys, armature.app.application as a; a.gl_format.match_pyopengl(); import armature.app.window.main_window"
    seen = subprocess.run(
        [sys.executable, "-c", f"{window}; print(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=PROCESS,
    )
    assert not late & set(seen.stdout.split())


def test_a_robot_is_imported_without_the_libraries_of_its_file_formats():
    """Pydantic half imported before Qt fails when Qt's import hook inspects it."""
    code = "import sys, armature; armature.Robot; print(*sys.modules)"
    seen = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=PROCESS)
    assert not {"pydantic", "pydantic_core", "lxml", "tomlkit"} & set(seen.stdout.split())


def test_every_compiled_routine_of_the_program_is_ready_before_the_first_picture():
    from armature.app.application import KERNELS

    compiled = [path for path in (ROOT / "app").rglob("*.py") if re.search(r"^@kernel\b", path.read_text("utf-8"), re.MULTILINE)]
    assert {".".join(("armature", *path.relative_to(ROOT).with_suffix("").parts)) for path in compiled} == set(KERNELS)
