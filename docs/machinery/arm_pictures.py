"""Pictures of arms, light and dark, drawn by `armature screenshot` while the site is built.

    ```{arm} puma560 --pose ready --show frames
    :alt: A Puma 560 in its ready pose
    ```

stands for the picture that `armature screenshot puma560 OUT.png --pose ready --show frames` draws. A picture is drawn again
where its command or anything of the program has changed.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
THEMES = ("light", "dark")
SIZE = "840x520"
_DIRECTIVE = re.compile(r"^```\{arm\} (.+)$", re.MULTILINE)


def commands(pages: Path) -> list[str]:
    """What the pages want drawn."""
    return sorted({found for page in pages.rglob("*.md") for found in _DIRECTIVE.findall(page.read_text(encoding="utf-8"))})


def picture_name(command: str, theme: str) -> str:
    """The file of one picture, named after all that it depends on."""
    return f"{hashlib.sha256((command + _program()).encode()).hexdigest()[:16]}_{theme}.png"


def arguments(command: str, theme: str) -> list[str]:
    """The command line that draws it."""
    robot, *options = shlex.split(command)
    size = [] if "--size" in options else ["--size", SIZE]
    return ["screenshot", robot, str(FOLDER / picture_name(command, theme)), *options, *size, "--theme", theme]


def draw(pages: Path) -> None:
    """Draws what is not there yet, in one process with a display of its own, and removes what no page wants any more."""
    FOLDER.mkdir(exist_ok=True)
    wanted = {picture_name(command, theme): arguments(command, theme) for command in commands(pages) for theme in THEMES}
    for old in set(FOLDER.glob("*.png")) - {FOLDER / name for name in wanted}:
        old.unlink()
    missing = [line for name, line in wanted.items() if not (FOLDER / name).is_file()]
    if missing:
        lines = "\n".join(shlex.join(line) for line in missing)
        drawing = [sys.executable, "-m", "docs.machinery.arm_pictures"]
        done = subprocess.run(drawing, cwd=ROOT, input=lines, text=True, check=False)
        if done.returncode:
            raise ExtensionError("a picture was not drawn")


class Arm(Directive):
    """The picture that a command draws, in the theme that the page is read in."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"alt": directives.unchanged_required}
    has_content = False

    def run(self) -> list[nodes.Node]:
        """Two pictures, of which the theme's style shows one."""
        return list(self._images())

    def _images(self) -> Iterator[nodes.image]:
        for theme in THEMES:
            uri = f"/pictures/{picture_name(self.arguments[0], theme)}"
            yield nodes.image(uri=uri, alt=self.options["alt"], classes=[f"only-{theme}", "arm"])


def setup(app: Sphinx) -> dict:
    """Sphinx's door: the directive, and the pictures before any page is read."""
    app.add_directive("arm", Arm)
    app.connect("builder-inited", lambda app: draw(Path(app.srcdir)))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _program() -> str:
    """A hash of everything that decides how an arm looks."""
    if not _CACHE:
        files = sorted(file for room in ("app", "engine", "robots", "assets/shaders") for file in (ROOT / room).rglob("*.*"))
        digest = hashlib.sha256()
        for file in files:
            if file.suffix in (".py", ".toml", ".frag", ".vert", ".glsl"):
                digest.update(file.read_bytes())
        _CACHE.append(digest.hexdigest())
    return _CACHE[0]


_CACHE: list[str] = []


if __name__ == "__main__":
    from tests.virtual_display import use_virtual_display

    use_virtual_display()
    from armature.app.cli import main

    for line in sys.stdin.read().splitlines():
        if code := main(shlex.split(line)):
            sys.exit(code)
