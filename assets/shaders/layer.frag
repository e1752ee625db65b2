#version 330 core
uniform sampler2D u_image;
out vec4 o_colour;

void main() {
    o_colour = texelFetch(u_image, ivec2(gl_FragCoord.xy), 0);
}
