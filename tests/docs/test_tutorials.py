"""The tutorials, done as written: every block is run, and what is printed is what the page shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.docs.page_code import Runner, blocks, differences

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("[0-9]*.md"))
RUN = ("python", "bash")


def test_there_are_five():
    assert [page.stem.partition("_")[2] for page in PAGES] == [
        "first_arm", "singularity", "pick_and_place", "own_robot", "recording"
    ]  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_does_what_it_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner, here = Runner(page), blocks(page)
    shown = 0
    with np.printoptions():
        for block, after in zip(here, [*here[1:], None], strict=True):
            if block.file:
                Path(block.file).write_text(block.text, encoding="utf-8")
            elif block.language in RUN:
                printed = runner.printed(block)
                told = after.text if after and after.language == "text" else ""
                shown += bool(told)
                if told or block.language == "python":
                    assert not differences(told, printed), f"{page.name}, line {block.line}"
    assert shown >= 4


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_of_a_tutorial_has_a_meaning(page):
    assert {block.language for block in blocks(page)} <= {*RUN, "text", "toml", "matlab"}


def test_a_wrong_number_is_seen():
    assert not differences("x = 1.234 m, 6 joints\n", "x = 1.2344 m, 6 joints\n")
    assert not differences("[ 0.   1.5]\n", "[-0.   1.5]\n")  # what is zero within rounding has either sign
    assert differences("x = 1.234 m, 6 joints\n", "x = 1.2364 m, 6 joints\n")
    assert differences("6 joints\n", "7 joints\n")
    assert differences("6 joints\n", "6 slides\n")
    assert differences("6 joints\n", "6 joints\nand more\n")
