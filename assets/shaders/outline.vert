#version 330 core
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 3) in uvec2 a_owner;
#include "bodies.glsl"
uniform mat4 u_clip;
uniform vec2 u_grow;

void main() {
    Body body = body_of(a_owner.x);
    vec4 clip = u_clip * (body.pose * vec4(a_position, 1.0));
    vec2 aside = (u_clip * vec4(mat3(body.pose) * a_normal, 0.0)).xy;
    clip.xy += normalize(aside + vec2(1e-9)) * u_grow * clip.w;
    gl_Position = clip;
}
