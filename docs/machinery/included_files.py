"""Manuals that lie beside what they describe, as pages of the site: a line `{{ robots/README.md }}` becomes that file's text.

Links between such files lead to their pages; a link to any other file of the repository becomes the file's name.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "README.md": "/quick_start",
    "robots/README.md": "/formats/robots",
    "assets/trajectories/README.md": "/formats/trajectories",
    "assets/questions/README.md": "/formats/questions",
    "assets/cells/README.md": "/formats/cells",
}
_INCLUDED = re.compile(r"^\{\{ ([\w/.]+\.md) \}\}$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)")


def page_of(name: str) -> str:
    """The text of a file of the repository, without its title, with links that lead somewhere on the site."""
    text = (ROOT / name).read_text(encoding="utf-8")
    folder = PurePosixPath(name).parent
    body = re.sub(r"\A# .*\n", "", text)
    return _LINK.sub(lambda found: _link(folder, *found.groups()), body)


def _link(folder: PurePosixPath, words: str, target: str, anchor: str | None) -> str:
    path = _normal(folder / target)
    if path.startswith("docs/"):
        return f"[{words}](/{path.removeprefix('docs/')}{anchor or ''})"
    if path not in PAGES:
        return words if words.startswith("`") else f"{words} (`{path}`)"
    return f"[{words}]({PAGES[path]}.md{anchor or ''})" if path != "README.md" else f"[{words}](/quick_start.md)"


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def setup(app: Sphinx) -> dict:
    """Sphinx's door."""
    app.connect("source-read", _include)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _include(app: Sphinx, page: str, source: list[str]) -> None:
    for name in _INCLUDED.findall(source[0]):
        app.env.note_dependency(ROOT / name)
        source[0] = source[0].replace(f"{{{{ {name} }}}}", page_of(name))
