"""What the site is built with, beside Sphinx: equations in plain text, docstrings, pictures, checks."""
