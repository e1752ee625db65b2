"""Recordings: written while they happen, recovered, read, converted."""
