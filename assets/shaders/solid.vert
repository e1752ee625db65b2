#version 330 core
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_colour;
layout(location = 3) in uvec2 a_owner;
#include "bodies.glsl"
uniform mat4 u_clip;
out vec3 v_position;
out vec3 v_normal;
flat out vec4 v_colour;
flat out vec3 v_state;

void main() {
    Body body = body_of(a_owner.x);
    vec4 world = body.pose * vec4(a_position, 1.0);
    v_position = world.xyz;
    v_normal = turned(body.pose, a_normal);
    v_colour = vec4(a_colour.rgb * a_colour.rgb, a_colour.a);
    v_state = vec3(a_owner.y > 0u ? body.state.y : body.state.x, body.state.z, body.state.w);
    gl_Position = u_clip * world;
}
