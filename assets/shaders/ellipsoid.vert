#version 330 core
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
#include "bodies.glsl"
uniform mat4 u_clip;
out vec3 v_local;
out vec3 v_position;
out vec3 v_normal;

void main() {
    mat4 pose = body_of(uint(gl_InstanceID)).pose;
    vec4 world = pose * vec4(a_position, 1.0);
    v_local = a_position;
    v_position = world.xyz;
    v_normal = turned(pose, a_normal);
    gl_Position = u_clip * world;
}
