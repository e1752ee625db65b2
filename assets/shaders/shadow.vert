#version 330 core
layout(location = 0) in vec3 a_position;
layout(location = 3) in uvec2 a_owner;
#include "bodies.glsl"
uniform vec3 u_patch;   // centre x, y and half side of the square of floor that is kept
uniform float u_floor;
uniform vec2 u_fall;
out float v_height;

void main() {
    vec3 world = (body_of(a_owner.x).pose * vec4(a_position, 1.0)).xyz;
    v_height = world.z - u_floor;
    vec2 fallen = world.xy + u_fall * v_height;
    gl_Position = vec4((fallen - u_patch.xy) / u_patch.z, 0.0, 1.0);
}
