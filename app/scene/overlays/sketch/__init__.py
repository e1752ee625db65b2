"""Arrows and lines that explain something at the arm."""
