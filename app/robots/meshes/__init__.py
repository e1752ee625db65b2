"""The shapes of URDF robots: files read, smoothed, cached and put on the bodies; no Qt, no OpenGL."""
