"""What the comparison of loads is called."""

TITLE = "Compare: with, without, unknown load"
TIP = "Run the trajectory three times, in the background: with its load, without it, and with one unknown to the controller"
