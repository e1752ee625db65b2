"""What the comparison of loads is called."""

TITLE = "Compare payloads: known, none, unknown"
TIP = "Run the trajectory in the background with its payload, without it, and with the payload unknown to the controller"
