#version 330 core
// One instance per piece of the line, drawn as a strip of four corners that face the eye.
layout(location = 0) in vec4 a_start;   // point in the world, and -1 where the line is broken
layout(location = 1) in vec4 a_end;
uniform mat4 u_clip;
uniform vec2 u_pixel;                   // clip units per pixel
uniform float u_width;
uniform float u_pieces;
out float v_age;
out float v_aside;

void main() {
    bool end = gl_VertexID >= 2;
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    vec4 from = u_clip * vec4(a_start.xyz, 1.0), to = u_clip * vec4(a_end.xyz, 1.0);
    vec2 along = (to.xy / to.w - from.xy / from.w) / u_pixel;
    along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
    vec4 here = end ? to : from;
    vec2 shift = vec2(-along.y, along.x) * side * u_width + along * (end ? 0.5 : -0.5);
    here.xy += shift * u_pixel * here.w;
    v_age = (float(gl_InstanceID) + (end ? 1.0 : 0.0)) / u_pieces;  // 0 old … 1 new
    v_aside = side * u_width;
    bool behind = from.w <= 0.0 || to.w <= 0.0 || a_start.w < 0.0 || a_end.w < 0.0;
    gl_Position = behind ? vec4(2.0, 2.0, 2.0, 1.0) : here;
}
