"""The public API on the site: `.. public:: rnea ik` shows what the docstrings of these names say."""

from __future__ import annotations

import dataclasses
from types import FunctionType

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util import logging

import armature
from docs.machinery.docstring_markup import as_rst

NAMES = [name for name in armature.__all__ if name != "__version__"]
FOREIGN = "Frozen, tuple"  # classes whose own members say nothing about an arm
_LOG = logging.getLogger(__name__)


class Public(Directive):
    """Functions and classes of `armature`, by name, in the order given."""

    has_content = True

    def run(self):
        """One entry per name, made by autodoc."""
        lines: list[str] = []
        for name in " ".join(self.content).split():
            value = getattr(armature, name)
            if isinstance(value, type) and issubclass(value, Exception):
                lines += [f".. autoexception:: armature.{name}", "    :no-members:", ""]
            elif isinstance(value, type):
                lines += [f".. autoclass:: armature.{name}", "    :members:", f"    :inherited-members: {FOREIGN}", ""]
            else:
                lines += [f".. autofunction:: armature.{name}", ""]
        return self._parsed(lines)

    def _parsed(self, lines: list[str]) -> list[nodes.Node]:
        box = nodes.section()
        box.document = self.state.document
        content = StringList(lines, source=self.state.document["source"])
        self.state.nested_parse(content, self.content_offset, box, match_titles=True)
        return box.children


def setup(app: Sphinx) -> dict:
    """Sphinx's door: the directive, docstrings as they are written here, and the check that no name is missing."""
    app.add_directive("public", Public)
    app.connect("autodoc-process-docstring", _typeset)
    app.connect("autodoc-skip-member", _skip)
    app.connect("env-check-consistency", _check_all_are_there)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _typeset(app, what, name, value, options, lines: list[str]) -> None:
    owner = value if isinstance(value, type) else None
    own = {field.name for field in dataclasses.fields(owner)} if owner and dataclasses.is_dataclass(owner) else set()
    own |= {name for name in dir(owner) if not name.startswith("_")} if owner else set()
    lines[:] = as_rst("\n".join(lines), set(NAMES) - own)


def _skip(app, what, name, value, skip, options) -> bool | None:
    """Fields stand in the words about their class; what has no words of its own adds nothing."""
    function = value.fget if isinstance(value, property) else getattr(value, "func", value)
    if not isinstance(function, FunctionType) and not isinstance(value, classmethod | staticmethod):
        return True
    return skip


def _check_all_are_there(app, env) -> None:
    shown = {name.removeprefix("armature.") for name in env.get_domain("py").objects}
    for name in sorted(set(NAMES) - shown):
        _LOG.warning("armature.%s is public and on no page of docs/api", name)
