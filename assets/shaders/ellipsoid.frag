#version 330 core
uniform vec3 u_eye;
uniform vec3 u_colour;
in vec3 v_position;
in vec3 v_normal;
flat in vec3 v_state;
out vec4 o_colour;

void main() {
    vec3 normal = normalize(v_normal);
    float facing = abs(dot(normal, normalize(u_eye - v_position)));
    float rim = pow(1.0 - facing, 2.0);
    o_colour = vec4(mix(u_colour, vec3(1.0), 0.25 * facing), v_state.z * (0.20 + 0.65 * rim));
}
