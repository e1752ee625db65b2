"""The builder: an arm of one's own, made and edited in the window."""
