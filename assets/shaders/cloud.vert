#version 330 core
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec4 a_colour;
uniform mat4 u_clip;
uniform float u_size;   // pixels across at one metre
uniform float u_least;
out vec4 v_colour;

void main() {
    gl_Position = u_clip * vec4(a_position, 1.0);
    gl_PointSize = clamp(u_size / gl_Position.w, u_least, 6.0 * u_least);
    v_colour = a_colour;
    // Onto the far plane: the cloud stays behind the arm, which is then seen whole in the middle of it.
    gl_Position.z = gl_Position.w;
}
