"""The robots that ship, one TOML file each; README.md documents the format."""
