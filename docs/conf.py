"""How Sphinx builds the site: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from armature.engine.version import VERSION

project = "Armature"
author = "The Armature developers"
copyright = author
version = release = VERSION

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "docs.machinery.mathml",
    "docs.machinery.public_names",
    "docs.machinery.arm_pictures",
    "docs.machinery.included_files",
]
exclude_patterns = ["machinery", "pictures"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]  # a file that is included begins where it does

autodoc_typehints = "none"  # docstrings state shapes and units
autodoc_member_order = "bysource"
add_module_names = False
toc_object_entries_show_parents = "hide"
default_role = None
nitpicky = True

html_theme = "furo"
html_title = f"Armature {VERSION}"
html_static_path = ["_static"]
html_css_files = ["armature.css"]
html_logo = "../assets/icons/armature.svg"
html_favicon = "../assets/icons/armature.svg"
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
html_use_index = True
pygments_style = "friendly"
pygments_dark_style = "github-dark"
