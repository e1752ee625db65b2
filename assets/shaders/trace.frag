#version 330 core
uniform vec3 u_colour;
uniform float u_width;
in float v_age;
in float v_aside;
out vec4 o_colour;

void main() {
    float solid = 1.0 - smoothstep(u_width - 1.0, u_width, abs(v_aside));
    o_colour = vec4(u_colour, solid * mix(0.15, 0.95, v_age));
}
