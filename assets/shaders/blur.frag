#version 330 core
uniform sampler2D u_image;
uniform vec2 u_step;
in vec2 v_at;
out vec4 o_colour;

// A Gaussian of nine taps in five reads: each read between two texels weighs both.
const float WEIGHT[3] = float[](0.1960, 0.2969, 0.1051);
const float OFFSET[3] = float[](0.0, 1.41, 3.29);

void main() {
    float sum = WEIGHT[0] * texture(u_image, v_at).r;
    for (int k = 1; k < 3; ++k) {
        sum += WEIGHT[k] * (texture(u_image, v_at + OFFSET[k] * u_step).r + texture(u_image, v_at - OFFSET[k] * u_step).r);
    }
    o_colour = vec4(sum);
}
