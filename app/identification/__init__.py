"""The dock *Identify*: an exciting motion, recordings, the estimate and what it is worth, and an arm to work with."""
