"""Condition numbers from which a pose counts as near a singularity; plain numbers, for those who must not import more."""

# MoveIt Servo slows an arm down from the first on and stops it at the second.
CONDITION_WARN = 17.0
CONDITION_STOP = 30.0
