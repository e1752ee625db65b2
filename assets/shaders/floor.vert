#version 330 core
uniform mat4 u_clip;
uniform vec4 u_plate;   // centre x, y, half side, z
out vec2 v_at;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    v_at = u_plate.xy + corner * u_plate.z;
    gl_Position = u_clip * vec4(v_at, u_plate.w, 1.0);
}
