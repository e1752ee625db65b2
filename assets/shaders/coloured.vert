#version 330 core
// Instance k draws the mesh with the poses from u_parts * k on; the colour of a part is its state, linear, with its gloss.
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 3) in uvec2 a_owner;
#include "bodies.glsl"
uniform mat4 u_clip;
uniform float u_parts;
out vec3 v_position;
out vec3 v_normal;
flat out vec4 v_colour;
flat out vec3 v_state;

void main() {
    Body body = body_of(uint(gl_InstanceID) * uint(u_parts) + a_owner.x);
    vec4 world = body.pose * vec4(a_position, 1.0);
    v_position = world.xyz;
    v_normal = turned(body.pose, a_normal);
    v_colour = body.state;
    v_state = vec3(0.0, 0.0, 1.0);
    gl_Position = u_clip * world;
}
