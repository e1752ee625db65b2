"""What is told of a robot on the command line, as lines of text."""
