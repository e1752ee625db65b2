"""Mistakes of published files, made in sound arms: what is wrong where, which rule finds it, and how it is graded."""

from __future__ import annotations

from tests.engine.sound_arms import TOML, URDF

WAIST, SHOULDER, ELBOW = "# waist", "# shoulder", "# elbow"
PUBLISHED = 'inertia = [0.004, 0.012, 0.042]\ninertia_as_published = "a table"'
# What is wrong in which text: old, new, behind what; the rule, its grade, what the repair or the cause says.
MISTAKES = {
    "centre in mm": (
        TOML, "com            = [-0.2,", "com            = [-200,",
        SHOULDER, "centre of mass outside", "error", "mm"),
    "lost decimal point": (
        TOML, "com            = [-0.2,", "com            = [-2.0,",
        SHOULDER, "centre of mass outside", "error", "decimal"),
    "lost decimal point of the last link": (
        TOML, "com            = [-0.15,", "com            = [-1.5,",
        ELBOW, "centre of mass outside", "error", "decimal"),
    "a centre 198 km away": (
        TOML, "com            = [-0.2,", "com            = [-198000,",
        SHOULDER, "centre of mass outside", "error", "another"),
    "inertia 3e8": (
        TOML, "[0.004, 0.042, 0.042]", "[4e6, 4.2e7, 4.2e7]",
        SHOULDER, "inertia too large", "error", "g·mm²"),
    "inertia off by 1000": (
        TOML, "[0.004, 0.042, 0.042]", "[4, 42, 42]",
        SHOULDER, "inertia too large", "error", "g·m²"),
    "inertia off by a decimal": (
        TOML, "[0.004, 0.042, 0.042]", "[0.04, 0.42, 0.42]",
        SHOULDER, "inertia too large", "doubtful", "decimal"),
    "inertia about the CAD frame": (
        TOML, "[0.004, 0.042, 0.042]", "[0.004, 0.162, 0.162]",
        SHOULDER, "inertia about the link frame", "doubtful", "CAD"),
    "triangle": (
        TOML, "inertia        = [0.004, 0.042, 0.042]", PUBLISHED,
        SHOULDER, "physically inconsistent inertia", "doubtful", "source"),
    "zeroed inertia": (
        TOML, "[0.004, 0.042, 0.042]", "[0, 0, 0]",
        SHOULDER, "zero inertia", "doubtful", "set to 0"),
    "mass in g": (
        TOML, "mass           = 6.0", "mass           = 12000",
        WAIST, "mass too large", "error", "in g"),
    "limits in degrees": (
        TOML, "[-3.0, 3.0]", "[-190, 45]",
        WAIST, "limits in degrees", "error", "degrees"),
    "limits_deg in radians": (
        TOML, "limits         = [-3.0, 3.0]", "limits_deg     = [-3.0, 3.0]",
        WAIST, "limits in radians", "doubtful", "radians"),
    "alpha in degrees": (
        TOML, '"pi/2"', "-90",
        WAIST, "angle in degrees", "error", "degrees"),
    "alpha_deg in radians": (
        TOML, 'alpha          = "pi/2"', "alpha_deg      = 1.5708",
        WAIST, "angle in radians", "doubtful", "radians"),
    "rpy_deg in radians": (
        TOML, "[configurations]", "[base]\nrpy_deg = [3.1416, 0, 12]\n[configurations]",
        "", "angle in radians", "doubtful", "enter radians in rpy"),
    "gravity without its sign": (
        TOML, 'convention = "standard"', 'gravity = [0, 0, 9.81]\nconvention = "standard"',
        "", "gravity points up", "doubtful", "minus"),
    "gravity in mm/s²": (
        TOML, 'convention = "standard"', 'gravity = [0, 0, -9810]\nconvention = "standard"',
        "", "gravity too strong", "doubtful", "mm/s²"),
    "alpha nearly": (
        TOML, '"pi/2"', "1.5708",
        WAIST, "axes nearly", "note", "rounded"),
    "speed in degrees": (
        TOML, "velocity_limit = 3.0", "velocity_limit = 360",
        WAIST, "speed limit in degrees per second", "error", "degrees"),
    "a in mm": (
        TOML, "a              = 0.4", "a              = 455",
        SHOULDER, "length in millimetres", "error", "mm"),
    "a far above the others": (
        TOML, "a              = 0.3", "a              = 30",
        ELBOW, "length far above the others", "error", "mm (0.03 m) or in cm (0.3 m)"),
    "a mass far above the others": (
        TOML, "mass           = 3.0", "mass           = 150",
        SHOULDER, "mass far above the other links", "doubtful", "one place (15 kg) or"),
    "rotor in kg·cm²": (
        TOML, "rotor_inertia  = 3e-5", "rotor_inertia  = 300",
        WAIST, "rotor inertia too large", "error", "entered in"),
    "no rotor behind gears": (
        TOML, "rotor_inertia  = 2e-5\n", "",
        ELBOW, "missing motor inertia", "note", "data sheet"),
    "friction through the gears twice": (
        TOML, "{ viscous", '{ at = "motor", viscous',
        SHOULDER, "friction too large", "error", "already apply at the joint"),
    "motors too weak": (
        TOML, "torque_limit   = 60.0", "torque_limit   = 0.25",
        SHOULDER, "motors too weak", "error", "without the gear ratio"),
    "motors too weak for the payload": (
        TOML, 'convention = "standard"', 'description = "an arm, payload 45 kg"\nconvention = "standard"',
        "", "motors too weak for the payload", "doubtful", "another size"),
    "two joints on one axis": (
        TOML, 'alpha          = "pi/2"\n', "",
        WAIST, "two joints on one axis", "doubtful", "twice"),
    "home below the floor": (
        TOML, 'home = [0, "pi/4"', 'home = [0, "-pi/2"',
        "", "home below the floor", "doubtful", "floor"),
    "centre in mm, URDF": (
        URDF, '"0.2 0 0" rpy', '"200 0 0" rpy',
        "upper", "centre of mass outside", "error", "mm"),
    "lost decimal point, URDF": (
        URDF, '"0.2 0 0" rpy', '"2 0 0" rpy',
        "upper", "centre of mass outside", "error", "decimal"),
    "inertia in g·mm², URDF": (
        URDF, 'ixx="0.004" ixy="0" ixz="0" iyy="0.042" iyz="0" izz="0.042"',
        'ixx="4e6" ixy="0" ixz="0" iyy="4.2e7" iyz="0" izz="4.2e7"',
        "upper", "inertia too large", "error", "g·mm²"),
    "inertia about the CAD frame, URDF": (
        URDF, 'iyy="0.042" iyz="0" izz="0.042"', 'iyy="0.162" iyz="0" izz="0.162"',
        "upper", "inertia about the link frame", "doubtful", "CAD"),
    "triangle, URDF": (
        URDF, 'ixx="0.004"', 'ixx="0.094"',
        "upper", "physically inconsistent inertia", "doubtful", ""),
    "zeroed inertia, URDF": (
        URDF, 'ixx="0.004" ixy="0" ixz="0" iyy="0.042" iyz="0" izz="0.042"', 'ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"',
        "upper", "zero inertia", "doubtful", "set to 0"),
    "mass in g, URDF": (
        URDF, 'mass value="3.0"', 'mass value="3000"',
        "upper", "mass too large", "error", "in g"),
    "density, URDF": (
        URDF, 'mass value="3.0"', 'mass value="300"',
        "upper", "density", "doubtful", "smaller"),
    "a box of 250 m": (
        URDF, 'box size="0.4 0.09 0.09"', 'box size="250 90 90"',
        "upper", "shape larger", "error", "mm"),
    "limits in degrees, URDF": (
        URDF, 'lower="-1.9" upper="1.9"', 'lower="-190" upper="45"',
        "shoulder", "limits in degrees", "error", "degrees"),
    "no motion, URDF": (
        URDF, 'lower="-1.9" upper="1.9"', 'lower="0" upper="0"',
        "shoulder", "upper limit equals lower limit", "note", "fixed"),
    "speed in degrees, URDF": (
        URDF, 'velocity="3"', 'velocity="180"',
        "shoulder", "speed limit in degrees per second", "error", "degrees"),
    "rpy in degrees, URDF": (
        URDF, 'rpy="0 0 0"/><axis', 'rpy="0 90 0"/><axis',
        "shoulder", "angle in degrees", "error", "degrees"),
    "rpy nearly, URDF": (
        URDF, 'rpy="0 0 0"/><axis', 'rpy="1.5708 0 -1.5708"/><axis',
        "shoulder", "axes nearly", "note", "rounded"),
    "origin in mm, URDF": (
        URDF, 'xyz="0.4 0.1 0"', 'xyz="400 100 0"',
        "left_elbow", "length in millimetres", "error", "mm"),
    "the right unlike the left": (
        URDF, 'mass value="1.0"', 'mass value="1.5"',
        "right_hand", "left and right sides differ", "doubtful", "one side"),
    "motors too weak, URDF": (
        URDF, 'effort="60"', 'effort="0.5"',
        "shoulder", "motors too weak", "doubtful", "without the gear ratio"),
}  # fmt: skip
WITHOUT_REPAIR = {
    "a centre 198 km away", "a far above the others", "a mass far above the others", "no rotor behind gears",
    "motors too weak", "motors too weak for the payload",
    "two joints on one axis", "home below the floor",
    "density, URDF", "no motion, URDF", "the right unlike the left", "motors too weak, URDF",
}  # fmt: skip
