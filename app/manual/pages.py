"""The manual's pages: the Markdown of `docs/`, made plain where only Sphinx understands it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from armature.engine.files import shipped

FIRST = "index"
INCLUDED = {
    "robots/README.md": "formats/robots",
    "assets/trajectories/README.md": "formats/trajectories",
    "assets/questions/README.md": "formats/questions",
    "assets/cells/README.md": "formats/cells",
}
"""Manual page of each README that is next to the files it describes."""

_INCLUSION = re.compile(r"^\{\{ ([\w/.]+\.md) \}\}$", re.MULTILINE)
_FENCE = re.compile(r"^(`{3,}|:{3,})(?:\{([\w-]+)\})?[ \t]*([^\n]*)\n(.*?)^\1[ \t]*$\n?", re.MULTILINE | re.DOTALL)
_OPTION = re.compile(r"^:([\w-]+):[ \t]*(.*)\n?", re.MULTILINE)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_ROLE = re.compile(r"\{[\w:-]+\}(`[^`]+`)")
_MATH = re.compile(r"\$\$(.+?)\$\$|(?<![\\$\w])\$((?:[^$\n]|\n(?!\n))+?)\$(?!\w)", re.DOTALL)
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^(#+) +(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """Page for a text browser; in `markdown`, `tex:3` is a picture of `formulas[3]`, `picture:images/x.webp` a file of docs/."""

    name: str
    title: str
    markdown: str
    formulas: tuple[str, ...]


def contents(name: str = FIRST, level: int = 0) -> Iterator[tuple[str, int]]:
    """Names and levels of all pages, in the order of their tables of contents; one without Markdown is left out."""
    text = _source(name)
    if text is None:
        return
    yield name, level
    folder = PurePosixPath(name).parent
    for fence in _FENCE.finditer(text):
        if fence[2] == "toctree":
            for entry in _OPTION.sub("", fence[4]).split():
                yield from contents(str(folder / entry), level + 1)


def title(name: str) -> str:
    """First heading of a page."""
    found = _HEADING.search(_source(name) or "")
    return "" if found is None else _ROLE.sub(r"\1", found[2]).replace("`", "").replace("$", "")


def page(name: str) -> Page:
    """The page of that name."""
    formulas: list[str] = []
    markdown = _plain(_with_included(_source(name) or ""), name, formulas)
    return Page(name, title(name), markdown, tuple(formulas))


def of_dock(name: str) -> str:
    """Page of the dock with this object name, "" if it has none."""
    found = f"manual/{name}"
    return found if _source(found) is not None else ""


def picture(file: str, dark: bool) -> Path:
    """Picture file of docs/; in a dark theme its dark version, if there is one."""
    plain = shipped("docs", file)
    other = plain.with_name(f"{plain.stem}_dark{plain.suffix}")
    return other if dark and other.is_file() else plain


def arm_picture(command: str) -> str:
    """File of the picture of a directive `{arm} command`, as `scripts/manual_pictures.py` draws it."""
    return f"images/arm_{hashlib.sha256(command.strip().encode()).hexdigest()[:12]}.webp"


def site(name: str) -> Path | None:
    """HTML page of the site that `make docs` has built, None if there is no site or no such page."""
    html = shipped("docs", "index.md").parents[1] / "build" / "docs" / f"{name}.html"
    return html if html.is_file() else None


def anchor(heading: str) -> str:
    """Name by which links lead to a heading, as GitHub and Sphinx make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def target(name: str, link: str) -> tuple[str, str] | None:
    """Page and anchor that a link on a page leads to; None where it leads out of the manual."""
    path, _, heading = link.partition("#")
    if not path:
        return name, heading
    if ":" in path or not path.endswith(".md"):
        return None
    other = _joined(PurePosixPath(name).parent / path).removesuffix(".md")
    return (other, heading) if _source(other) is not None else None


def _source(name: str) -> str | None:
    file = shipped("docs", f"{name}.md")
    return file.read_text(encoding="utf-8") if file.is_file() else None


def _with_included(text: str) -> str:
    """The text with the files that it includes, whose links lead from where they are."""

    def put(found: re.Match) -> str:
        file, home = found[1], PurePosixPath(found[1]).parent
        body = re.sub(r"\A# .*\n", "", shipped(*file.split("/")).read_text(encoding="utf-8"))
        return _LINK.sub(lambda link: _from_file(home, *link.groups()), body)

    return _INCLUSION.sub(put, text)


def _from_file(home: PurePosixPath, words: str, link: str) -> str:
    """Link of an included file, made relative to its page in docs/formats; a file outside docs/ is only named."""
    path, _, heading = link.partition("#")
    if not path or ":" in path:
        return f"[{words}]({link})"
    file = _joined(home / path)
    known = f"{PurePosixPath(INCLUDED[file]).name}.md" if file in INCLUDED else file.replace("docs/", "../", 1)
    return f"[{words}]({known}{'#' if heading else ''}{heading})" if file in INCLUDED or file.startswith("docs/") else words


def _joined(path: PurePosixPath) -> str:
    """The path without steps upwards."""
    steps: list[str] = []
    for step in path.parts:
        steps = steps[:-1] if step == ".." else [*steps, step]
    return "/".join(steps)


def _plain(text: str, name: str, formulas: list[str]) -> str:
    """Markdown without directives and roles, with formulas as pictures and without links that lead nowhere."""
    kept: list[str] = []

    def keep(code: str) -> str:
        kept.append(code)
        return f"\0{len(kept) - 1}\0"

    def shown(words: str, file: str) -> str:
        return f"![{words}](picture:{file})" if shipped("docs", file).is_file() else f"*Picture: {words}.*"

    def image(found: re.Match) -> str:
        if found[2].startswith("picture:"):
            return found[0]
        return shown(found[1], _joined(PurePosixPath(name).parent / found[2]))

    def fence(found: re.Match) -> str:
        _, directive, rest, body = found.groups()
        options = dict(_OPTION.findall(body)) if directive else {}
        if directive == "toctree":
            return ""
        if directive == "arm":
            return shown(options.get("alt", ""), arm_picture(rest)) + "\n"
        if directive in (None, "code-block"):
            return keep(f"```{rest}\n{_OPTION.sub('', body).lstrip() if directive else body}```\n")
        head = f"**{directive.replace('-', ' ').capitalize()}**{' ' if rest else ''}{rest}"
        return "\n".join(f"> {line}" for line in (head, "", *_OPTION.sub("", body).splitlines())) + "\n"

    def formula(found: re.Match) -> str:
        formulas.append((found[1] or found[2]).strip())
        picture = f"![formula](tex:{len(formulas) - 1})"
        return f"\n\n{picture}\n\n" if found[1] else picture

    def link(found: re.Match) -> str:
        words, goal = found.groups()
        if goal.startswith(("http:", "https:")) or target(name, goal) is not None:
            return found[0]
        html = site(_joined(PurePosixPath(name).parent / goal).removesuffix(".rst")) if goal.endswith(".rst") else None
        return words if html is None else f"[{words}]({html.as_uri()})"

    text = _ROLE.sub(r"\1", _FENCE.sub(fence, text))
    text = _CODE.sub(lambda found: keep(found[0]), text)
    text = _LINK.sub(link, _MATH.sub(formula, _PICTURE.sub(image, text)))
    while "\0" in text:
        text = re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], text)
    return text
