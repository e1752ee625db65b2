"""The names of Armature for type checkers and editors; the program itself imports each when it is first used."""

from armature.engine import *  # noqa: F403

__version__: str
