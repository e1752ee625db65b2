"""The file of the open robot: saved, watched, confirmed before it is left, recovered."""
