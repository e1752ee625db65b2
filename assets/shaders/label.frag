#version 330 core
uniform sampler2D u_image;
in vec2 v_at;
out vec4 o_colour;

void main() {
    o_colour = texture(u_image, v_at);
}
