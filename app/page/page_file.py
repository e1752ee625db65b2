"""`write_page`: an HTML file that opens offline in any browser, and loads nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from pathlib import Path
from typing import Any

from armature.engine.files import atomic_write, shipped
from armature.engine.version import VERSION

SCRIPTS = ("arrays.js", "kinematics.js", "camera.js", "renderer.js", "plots.js", "page.js")


def page_text(title: str, subtitle: str, content: dict[str, Any]) -> str:
    """Return the page as HTML. Its policy allows only its own script and style, which it names by their hashes."""
    script = "\n".join(_asset(name) for name in SCRIPTS)
    style = _asset("page.css")
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    # "<" as an escape of JSON: no text of the data can end its element
    data = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    texts = {"policy": policy, "version": escape(VERSION), "title": escape(title), "subtitle": escape(subtitle)}
    parts = {**texts, "style": style, "script": script, "data": data}
    return re.sub(r"\{(\w+)\}", lambda place: parts[place[1]], _asset("page.html"))


def write_page(path: Path, title: str, subtitle: str, content: dict[str, Any]) -> None:
    """Write the page; the file appears complete or not at all. Raises OSError."""
    atomic_write(path, page_text(title, subtitle, content))


def _asset(name: str) -> str:
    return shipped("assets", "page", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
