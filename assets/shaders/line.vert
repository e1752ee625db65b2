#version 330 core
// One instance per straight line, a strip of four corners that face the eye.
layout(location = 0) in vec3 a_start;
layout(location = 1) in vec3 a_end;
layout(location = 2) in vec4 a_colour;
layout(location = 3) in vec2 a_style;   // width and length of a dash in pixels, 0 for a full line
uniform mat4 u_clip;
uniform vec2 u_pixel;                   // clip units per pixel
uniform float u_scale;
noperspective out vec2 v_at;            // pixels along and across
flat out vec4 v_colour;
flat out vec2 v_style;

// The end of a line that is behind the eye moves to where the line passes the near plane.
vec4 before_eye(vec4 here, vec4 other) {
    float near = 1e-3;
    return here.w < near && other.w > near ? mix(other, here, (other.w - near) / (other.w - here.w)) : here;
}

void main() {
    vec4 from = u_clip * vec4(a_start, 1.0), to = u_clip * vec4(a_end, 1.0);
    vec4 start = before_eye(from, to), end = before_eye(to, from);
    vec2 way = (end.xy / end.w - start.xy / start.w) / u_pixel;
    float length_ = length(way);
    vec2 along = length_ > 1e-6 ? way / length_ : vec2(1.0, 0.0);
    bool is_end = gl_VertexID >= 2;
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    v_style = a_style * u_scale;
    v_colour = a_colour;
    v_at = vec2(is_end ? length_ : 0.0, side * (0.5 * v_style.x + 1.0));
    gl_Position = is_end ? end : start;
    gl_Position.xy += vec2(-along.y, along.x) * v_at.y * u_pixel * gl_Position.w;
}
