"""The arguments that a xacro file declares, read without expanding it."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from armature.engine.model.file_bytes import Unreadable, file_bytes
from armature.engine.model.urdf.xml_text import UrdfError, check_text
from armature.engine.model.xacro.xacro_place import file_of

_MAX_BYTES = 10_000_000


def declared_arguments(path: Path) -> dict[str, str]:
    """Name and default, as written, of every `<xacro:arg>` in the file itself; none where it cannot be read."""
    try:
        data = file_bytes(file_of(path), _MAX_BYTES, "xacro file")
        check_text(data)
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
        root = etree.fromstring(data, parser)
    except (Unreadable, UrdfError, etree.XMLSyntaxError):  # whoever opens it says why
        return {}
    found = (element for element in root.iter(etree.Element) if str(element.tag).endswith("}arg") and element.get("name"))
    return {element.get("name"): element.get("default", "") for element in found}
