#version 330 core
// A fan around u_centre, from u_from towards u_side, made from the vertex number alone.
uniform mat4 u_clip;
uniform vec3 u_centre;
uniform vec3 u_from;
uniform vec3 u_side;
uniform float u_angle;
uniform float u_pieces;

void main() {
    float turn = u_angle * float(max(gl_VertexID - 1, 0)) / u_pieces;
    vec3 edge = gl_VertexID == 0 ? vec3(0.0) : u_from * cos(turn) + u_side * sin(turn);
    gl_Position = u_clip * vec4(u_centre + edge, 1.0);
}
