"""The program's version, written into every recording; a test keeps it equal to the one in pyproject.toml."""

VERSION = "0.3.0"
