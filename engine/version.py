"""Version of Armature, saved in every recording; a test compares it with pyproject.toml."""

VERSION = "0.3.0"
