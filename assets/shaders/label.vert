#version 330 core
layout(location = 0) in vec4 a_box;     // left, top, width, height in pixels
layout(location = 1) in vec4 a_glyph;   // the same in the atlas, 0…1
layout(location = 2) in float a_depth;
uniform vec2 u_size;
out vec2 v_at;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 pixel = a_box.xy + corner * a_box.zw;
    v_at = a_glyph.xy + corner * a_glyph.zw;
    gl_Position = vec4(pixel.x / u_size.x * 2.0 - 1.0, 1.0 - pixel.y / u_size.y * 2.0, a_depth, 1.0);
}
