#version 330 core
uniform vec3 u_patch;    // centre x and y of the shadow's picture, and pictures per metre
uniform float u_shadow;
uniform sampler2D u_image;
in vec2 v_at;
out vec4 o_colour;

void main() {
    o_colour = vec4(0.0, 0.0, 0.0, u_shadow * textureLod(u_image, (v_at - u_patch.xy) * u_patch.z + 0.5, 0.0).r);
}
