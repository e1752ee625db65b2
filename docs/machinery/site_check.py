"""Checks the site that was built: `python -m docs.machinery.site_check build/docs` prints what is wrong and exits 1.

Every link leads to a page, a place on a page or a file that is there; nothing is loaded from elsewhere; every public name has its
entry; and no equation of a docstring was left as plain text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SIGNS = r"[ᵀ∂Σ∫∇∝½⁻]|(?<!\d)×"  # of an equation; in words none of them stands
PLAIN = re.compile(rf"[^.;\n]*(?:{SIGNS})[^.;\n]*")
_LOADED = {"script": "src", "img": "src", "link": "href", "source": "src", "iframe": "src"}
_LEADING = ("index", "search", "next", "prev", "canonical")  # links in a page's head that load nothing
_VERBATIM = ("math", "code", "pre", "script", "style", "title")


class Page(HTMLParser):
    """A page's links, anchors, what it loads, and its words outside of code and equations."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.words: list[str] = []
        self.untypeset: list[str] = []
        self._within: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Notes what the tag names."""
        given = dict(attrs)
        if given.get("id"):
            self.anchors.add(given["id"])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in _LOADED and given.get(_LOADED[tag]) and given.get("rel") not in _LEADING:
            self.loaded.append(given[_LOADED[tag]])
        if tag in _VERBATIM:
            self._within.append(tag)

    def handle_endtag(self, tag):
        """Leaves code or an equation."""
        if self._within and self._within[-1] == tag:
            self._within.pop()

    def handle_data(self, data):
        """Words, and what is left of TeX in an equation."""
        if not self._within:
            self.words.append(data)
        elif "math" in self._within and re.search(r"\\|&", data):
            self.untypeset.append(data)


def problems(site: Path) -> Iterator[str]:
    """One line for each."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        for link in page.links + page.loaded:
            if fault := _fault(site, path, link, pages):
                yield f"{name}: {fault}"
        for loaded in page.loaded:
            if urlsplit(loaded).netloc:
                yield f"{name}: {loaded} is loaded from elsewhere"
        yield from (f"{name}: {left} stayed TeX in an equation" for left in page.untypeset)
        if name.startswith("api/"):
            plain = PLAIN.search("".join(page.words))
            if plain:
                yield f"{name}: an equation is plain text: {plain[0].strip()!r}"
    for style in sorted(site.rglob("*.css")):
        for address in re.findall(r"url\(['\"]?(https?:[^)'\"]+)", style.read_text(encoding="utf-8")):
            yield f"{style.relative_to(site)}: {address} is loaded from elsewhere"
    yield from _undocumented(site, pages)


def _fault(site: Path, path: Path, link: str, pages: dict[Path, Page]) -> str:
    """What is wrong with a link of a page, empty for nothing; addresses of other sites are not looked up."""
    address = urlsplit(link)
    if address.scheme or address.netloc:
        return "" if address.scheme in ("https", "data") else f"{link} is no address"
    target = (path.parent / unquote(address.path)).resolve() if address.path else path
    if target.is_dir():
        target = target / "index.html"
    if not target.is_relative_to(site.resolve()) or not target.is_file():
        return f"{link} leads nowhere"
    page = pages.get(target)
    if address.fragment and page is not None and unquote(address.fragment) not in page.anchors:
        return f"{link} leads to no place on that page"
    return ""


def _undocumented(site: Path, pages: dict[Path, Page]) -> Iterator[str]:
    """Public names without an entry."""
    import armature

    anchors = set().union(*(page.anchors for path, page in pages.items() if path.parent.name == "api"))
    for name in armature.__all__:
        if name != "__version__" and f"armature.{name}" not in anchors:
            yield f"armature.{name} is public and has no entry"


def main(site: Path) -> int:
    """Prints the problems; returns the exit code."""
    found = list(problems(site.resolve()))
    print(*found, sep="\n", end="\n" if found else "")
    pages = len(list(site.rglob("*.html")))
    print(f"{site}: {pages} pages, {len(found)} problems")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
