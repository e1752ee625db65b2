"""The pages: algorithms say where they come from and what checks them, formats name all there is, links lead somewhere."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

import armature
from armature.app.commands.plot import SUFFIXES as FIGURES
from armature.app.recording.film import SUFFIXES as FILMS
from armature.app.state.recognised_file import LOGS, ROBOTS
from armature.engine.control.own_law.arm_functions import ArmFunctions
from armature.engine.reach.reach_files import SUFFIXES as WORKSPACES
from armature.engine.recording.mcap.mcap_scene import SCENE_TOPIC
from armature.engine.recording.mcap.mcap_schemas import MEASURED, SAMPLE_TOPICS
from armature.engine.recording.recording_columns import column_names
from armature.engine.recording.recording_formats import SUFFIXES as RECORDINGS
from armature.engine.recording.recording_metadata import EXCERPT, IMPORTED, metadata_of
from armature.engine.recording.tables.mat_format import quantities
from armature.engine.simulation.runs.scenario import load_scenario
from armature.engine.simulation.runs.scenario_schema import RunEntry, ScenarioFile
from armature.engine.simulation.sweeps.sweep import Sweep, SweepColumns
from armature.engine.simulation.sweeps.sweep_table import SUFFIXES as RESULTS
from tests.docs.page_code import Runner, blocks, differences

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ALGORITHMS = sorted(page for page in (DOCS / "algorithms").glob("*.md") if page.stem != "index")
PAGES = sorted((*DOCS.rglob("*.md"), *DOCS.rglob("*.rst")))


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def part(text: str, name: str) -> str:
    """What stands behind `- **name**:` on a page of an algorithm."""
    (found,) = re.findall(rf"^- \*\*{name}\*\*: (.*)$", text, re.MULTILINE)
    return found


@pytest.mark.parametrize("path", ALGORITHMS, ids=lambda path: path.stem)
def test_an_algorithm_names_equation_functions_files_source_and_tests(path):
    text = path.read_text(encoding="utf-8")
    assert "$$" in text or "| $" in text or path.stem in ("control", "integrators", "trajectories")
    assert all(hasattr(armature, name) for name in re.findall(r"\{py:obj\}`armature\.(\w+)`", part(text, "Functions")))
    files, tests = (re.findall(r"`([\w/]+\.py)`", part(text, name)) for name in ("Files", "Checked by"))
    assert files and tests and all(name.startswith("engine/") for name in files) and all("/test_" in name for name in tests)
    assert not [name for name in (*files, *tests) if not (ROOT / name).is_file()]


@pytest.mark.parametrize("path", ALGORITHMS, ids=lambda path: path.stem)
def test_the_source_of_an_algorithm_is_that_of_its_files(path):
    text = path.read_text(encoding="utf-8")
    code = "".join((ROOT / name).read_text(encoding="utf-8") for name in re.findall(r"`([\w/]+\.py)`", part(text, "Files")))
    authors = [
        re.match(r"[\w'’–-]+(?: [A-Z][\w-]+)?", source.strip())[0].split()[-1] for source in part(text, "Source").split(";")
    ]
    assert authors and not [author for author in authors if author not in code]


def test_the_pages_of_algorithms_are_listed():
    listed = re.findall(r"^(\w+)$", page("algorithms/index.md"), re.MULTILINE)
    assert sorted(listed) == [path.stem for path in ALGORITHMS]


def test_every_public_name_has_a_place_in_the_api():
    listed = []
    for path in sorted((DOCS / "api").glob("*.rst")):
        for block in re.findall(r"\.\. public::\n\n((?:    .*\n)+)", path.read_text(encoding="utf-8")):
            listed += block.split()
    assert sorted(listed) == sorted(set(armature.__all__) - {"__version__"})


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_links_between_pages_lead_to_pages(path):
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!http|#)([^)#]+)(?:#[^)]*)?\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        assert (path.parent / target).is_file(), target


# formats


def test_every_suffix_of_the_program_stands_in_the_list_of_formats():
    text = page("formats/index.md") + page("formats/robots.md")
    suffixes = {
        *RECORDINGS,
        *WORKSPACES,
        *RESULTS,
        *FIGURES,
        *FILMS,
        *LOGS,
        *ROBOTS,
        ".part",
        ".armature.toml",
        ".png",
        ".pdf",
        ".html",
    }
    assert not [suffix for suffix in suffixes if f"`{suffix}`" not in text]


def test_recordings_are_described_in_full(tmp_path):
    text = page("formats/recordings.md")
    names = [re.sub(r"\.j$", ".JOINT", name) for name in column_names(["j"], measured=True)]
    assert not [name for name in names if f"`{name}`" not in text]
    assert re.findall(r"^\| `(\w+|q\.JOINT)`", text.split("## Columns")[1], re.MULTILINE)[:1] == ["t"]
    kept = {*metadata_of(armature.load_robot("pendulum"), 1e-3, "rk4"), EXCERPT, IMPORTED}
    assert kept == set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]+)\|", text.split("## Metadata")[1], re.MULTILINE))))
    topics = {*SAMPLE_TOPICS, *MEASURED, SCENE_TOPIC}
    assert not [name for name in {*quantities(1, measured=True), *topics} if f"`{name}`" not in text]


def test_scenarios_are_described_in_full(tmp_path):
    text, table = page("formats/scenarios.md").split("## The table of results")
    keys = set(re.findall(r"^\| `\[*(\w+)\]*`", text, re.MULTILINE))
    assert keys == {*ScenarioFile.model_fields, *RunEntry.model_fields, "sweep"}
    assert not [field.name for field in fields(armature.Sensors) if f"`{field.name}`" not in text]
    (example,) = [block for block in blocks(DOCS / "formats" / "scenarios.md") if block.file]
    (tmp_path / example.file).write_text(example.text, encoding="utf-8")
    assert len(load_scenario(tmp_path / example.file)) == 6
    sweep = Sweep(tmp_path / example.file)
    names = {re.sub(r"\.joint\d$", ".JOINT", column.name) for column in SweepColumns(sweep).columns} - {"frequency"}
    assert names == {name for cell in re.findall(r"^\|([^|]+)\|", table, re.MULTILINE) for name in re.findall(r"`([^`]+)`", cell)}


def test_laws_are_described_in_full(tmp_path):
    text = page("formats/laws.md")
    arm = ArmFunctions(armature.load_robot("puma560"))
    listed = re.findall(r"`(\w+)`", re.search(r"^\| `arm` \|(.*)\|$", text, re.MULTILINE)[1])
    assert {name for name in dir(arm) if not name.startswith("_")} <= set(listed)
    (example,) = [block for block in blocks(DOCS / "formats" / "laws.md") if block.file]
    (tmp_path / example.file).write_text(example.text, encoding="utf-8")
    assert armature.load_law(tmp_path / example.file).values == {"kp": 100, "kd": 2}


# quick start


def test_the_quick_start_runs():
    here = blocks(DOCS / "quick_start.md")
    (code,) = [block for block in here if block.language == "python"]
    (told,) = [block for block in here if block.language == "text"]
    assert not differences(told.text, Runner(DOCS / "quick_start.md").printed(code))


def test_matlab_finds_what_the_tutorial_uses():
    (script,) = [block.text for block in blocks(DOCS / "tutorials" / "5_recording.md") if block.language == "matlab"]
    assert set(re.findall(r"run\.(\w+)", script)) - {"mat"} <= {*quantities(6), "joint_names", "metadata"}
