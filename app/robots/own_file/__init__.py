"""The file of the open robot: saved, watched, asked about before it is left, recovered."""
