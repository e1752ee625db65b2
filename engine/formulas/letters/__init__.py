"""Equations of small arms in letters, derived step by step; sympy is imported here and nowhere else."""
