#version 330 core
uniform float u_reach;
in float v_height;
out vec4 o_colour;

void main() {
    float h = max(v_height, 0.0) / u_reach;
    float dark = 0.50 * exp(-1.1 * h) + 0.50 * exp(-10.0 * h);
    o_colour = vec4(v_height < -0.02 * u_reach ? 0.0 : dark);
}
