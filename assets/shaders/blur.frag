#version 330 core
uniform sampler2D u_image;
uniform vec2 u_step;
in vec2 v_at;
out vec4 o_colour;

// A Gaussian of 13 taps in seven reads: each read between two texels weighs both.
const float WEIGHT[4] = float[](0.1501, 0.2546, 0.1260, 0.0443);
const float OFFSET[4] = float[](0.0, 1.45, 3.39, 5.33);

void main() {
    float sum = WEIGHT[0] * texture(u_image, v_at).r;
    for (int k = 1; k < 4; ++k) {
        sum += WEIGHT[k] * (texture(u_image, v_at + OFFSET[k] * u_step).r + texture(u_image, v_at - OFFSET[k] * u_step).r);
    }
    o_colour = vec4(sum);
}
