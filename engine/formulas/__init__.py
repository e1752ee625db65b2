"""The equations of an arm as formulas that one can read, evaluate and take along as code."""
