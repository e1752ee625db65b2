"""Sentences that are said in several places, and messages as sentences."""

from __future__ import annotations

COMPILING = "Compiling kernels (first start only). This function is available after that."


def no_masses(name: str) -> str:
    """Why a robot cannot be simulated."""
    return (
        f"{name} has no masses: it can be posed, measured and recorded, but not simulated,"
        " because without masses no torque and no acceleration can be computed."
    )


def capital(text: str) -> str:
    """Begun with a capital, unless the first word is a name in a file or in code, such as "joints[2].d" or "panda:"."""
    first = text.partition(" ")[0].rstrip(",;.")
    return text[:1].upper() + text[1:] if first.replace("-", "").replace("’", "").isalpha() else text


def sentence(text: str) -> str:
    """A message of the engine as a sentence."""
    return capital(text) + ("" if not text or text.endswith((".", "!", "?")) else ".")
