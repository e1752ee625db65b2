"""Icons, shaders, trajectories and scenarios that ship."""
