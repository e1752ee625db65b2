"""Sessions: the whole desk as one file."""
