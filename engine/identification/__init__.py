"""Identification of an arm's parameters from recordings: excitation trajectory, estimate, and its uncertainty."""
