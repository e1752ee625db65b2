"""Descriptions of a robot for the command line, as lines of text."""
