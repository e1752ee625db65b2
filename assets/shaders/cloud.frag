#version 330 core
uniform float u_opacity;
in vec4 v_colour;
out vec4 o_colour;

void main() {
    if (length(gl_PointCoord - 0.5) > 0.5) discard;
    o_colour = vec4(v_colour.rgb, u_opacity);
}
