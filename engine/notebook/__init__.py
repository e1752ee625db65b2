"""How a notebook shows what the engine has: pictures of robots, curves of recordings."""
