#version 330 core
uniform mat4 u_clip;
uniform vec4 u_box;      // least x and y, greatest x and y
uniform float u_height;
out vec2 v_at;

void main() {
    v_at = mix(u_box.xy, u_box.zw, vec2(gl_VertexID & 1, gl_VertexID >> 1));
    gl_Position = u_clip * vec4(v_at, u_height, 1.0);
}
