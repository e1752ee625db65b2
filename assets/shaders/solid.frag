#version 330 core
#include "lighting.glsl"
uniform vec3 u_eye;
uniform vec3 u_right;
uniform vec3 u_tint;
uniform vec3 u_glow;
uniform float u_opacity;
uniform vec2 u_stripes;
in vec3 v_position;
in vec3 v_normal;
flat in vec4 v_colour;
flat in vec3 v_state;
out vec4 o_colour;

void main() {
    if (fract(dot(gl_FragCoord.xy, u_stripes)) > 0.6) discard;
    vec3 normal = normalize(v_normal);
    if (!gl_FrontFacing) normal = -normal;
    vec3 to_eye = normalize(u_eye - v_position);
    vec3 albedo = mix(v_colour.rgb, u_tint, v_state.x);
    vec3 colour = lit(albedo, normal, to_eye, u_right, v_colour.a);
    float rim = 1.0 - max(dot(normal, to_eye), 0.0);
    colour = mix(colour, u_glow, v_state.y * (0.18 + 0.5 * rim * rim));
    o_colour = vec4(encode(colour), v_state.z * u_opacity);
}
