"""The motion that shows an arm's parameters, and what it is good for."""
