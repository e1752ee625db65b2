#version 330 core
uniform vec3 u_ground;   // colour of the rim
in vec4 v_colour;
in float v_inner;
out vec4 o_colour;

void main() {
    float r = 2.0 * length(gl_PointCoord - 0.5);
    float soft = fwidth(r);
    float inside = 1.0 - smoothstep(v_inner - soft, v_inner, r);
    o_colour = vec4(mix(u_ground, v_colour.rgb, inside), 1.0 - smoothstep(1.0 - soft, 1.0, r));
}
