#version 330 core
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec4 a_colour;
layout(location = 2) in float a_size;   // logical pixels across, without the rim
uniform mat4 u_clip;
uniform float u_scale;                  // pixels per logical pixel
uniform float u_rim;                    // logical pixels
out vec4 v_colour;
out float v_inner;                      // share of the radius that is not rim

void main() {
    gl_Position = u_clip * vec4(a_position, 1.0);
    gl_PointSize = (a_size + 2.0 * u_rim) * u_scale;
    v_inner = a_size / (a_size + 2.0 * u_rim);
    v_colour = a_colour;
}
