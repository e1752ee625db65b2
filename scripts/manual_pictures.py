"""Draw the pictures of the manual into docs/images as WebP: the arms of `{arm}` directives, and copies of the screenshots.

Run it after a change of a directive or by gallery.sh: `.venv/bin/python scripts/manual_pictures.py`. Arms that have a picture
are drawn again with `--all` only; pictures that no page shows are deleted.
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.virtual_display import use_virtual_display  # noqa: E402

use_virtual_display()

from PySide6.QtCore import Qt  # noqa: E402
from PySide6.QtGui import QImage  # noqa: E402

from armature.app.cli import main  # noqa: E402
from armature.app.manual.pages import arm_picture  # noqa: E402

DOCS, SCREENSHOTS = ROOT / "docs", ROOT / "assets" / "screenshots"
ARM_SIZE, WIDTH, QUALITY = "760x470", 900, 82
DIRECTIVE = re.compile(r"^```\{arm\} (.+)$", re.MULTILINE)
IMAGE = re.compile(r"\]\((?:\.\./)*images/([\w/]+)\.webp\)")


def draw(everything: bool) -> None:
    """Draw missing pictures and delete unused ones."""
    folder = DOCS / "images"
    folder.mkdir(exist_ok=True)
    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md"))
    shown = set()
    for command in sorted(set(DIRECTIVE.findall(text))):
        for theme in ("light", "dark"):
            out = DOCS / arm_picture(command)
            out = out.with_stem(out.stem + "_dark") if theme == "dark" else out
            shown.add(out)
            if everything or not out.is_file():
                draw_arm(command, theme, out)
    for name in sorted(set(IMAGE.findall(text))):
        out = folder / f"{name}.webp"
        shown.add(out)
        source = SCREENSHOTS / f"{name}.png"
        if source.is_file():
            image = QImage(str(source))
            if image.width() > WIDTH:
                image = image.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
            image.save(str(out), quality=QUALITY)
    for old in set(folder.glob("*.webp")) - shown:
        old.unlink()


def draw_arm(command: str, theme: str, out: Path) -> None:
    """Draw the arm as `armature screenshot` does."""
    robot, *options = shlex.split(command)
    with tempfile.TemporaryDirectory() as folder:
        png = Path(folder) / "arm.png"
        size = [] if "--size" in options else ["--size", ARM_SIZE]
        if code := main(["screenshot", robot, str(png), *options, *size, "--theme", theme]):
            sys.exit(code)
        QImage(str(png)).save(str(out), quality=QUALITY)


if __name__ == "__main__":
    draw("--all" in sys.argv[1:])
