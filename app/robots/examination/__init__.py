"""What is wrong with the open robot's figures, in the dock *Robot*."""
