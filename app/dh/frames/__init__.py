"""Frames laid by rule, and rotations turned by hand."""
