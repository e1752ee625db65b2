#version 330 core
// One instance per text, a rectangle upright on the screen, or per line that leads to one.
layout(location = 0) in vec4 a_box;     // left, top, width, height in pixels; of a line where it begins and ends
layout(location = 1) in vec4 a_anchor;  // pixel and depth of what is told of, below 0 where the text shines through what hides
                                        // that, below -1 where nothing does; and how far to the side it is looked, in pixels
layout(location = 2) in vec4 a_line;    // colour of a line, or the number of a text's first pixel and zeros
uniform vec2 u_size;
uniform vec2 u_corner;                  // of the picture in the framebuffer, which may hold a part of it
uniform float u_scale;
uniform float u_shines;                // what a text that shines through keeps of itself where it is hidden
uniform sampler2D u_depth;
out vec2 v_at;
out float v_across;
flat out vec4 v_line;
flat out float v_seen;
flat out float v_width;

const float OVERLAID = 0.03;            // depths before it are of what is drawn over the arm to explain it: that hides nothing

const float USUAL = 2.0;                // logical pixels

// How much of the surroundings of the anchor lies before nothing: a text fades at an edge and does not flicker. One that lies
// on the floor, which is looked at in all its width, is gone before anything covers it.
float seen() {
    if (a_anchor.z < -1.0) return 1.0;
    vec2 at = vec2(a_anchor.x, u_size.y - a_anchor.y) + u_corner;
    float count = 0.0;
    for (int k = 0; k < 9; k++) {
        vec2 tap = at + vec2(a_anchor.w, USUAL * u_scale) * vec2(k % 3 - 1, k / 3 - 1);
        float depth = texelFetch(u_depth, clamp(ivec2(tap), ivec2(0), textureSize(u_depth, 0) - 1), 0).r;
        count += float(depth >= abs(a_anchor.z) || depth < OVERLAID);
    }
    bool lies = a_anchor.w > USUAL * u_scale + 0.5;
    return mix(a_anchor.z < 0.0 ? u_shines : 0.0, 1.0, lies ? smoothstep(6.0, 9.0, count) : smoothstep(2.5, 6.5, count));
}

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 pixel = a_box.xy + corner * a_box.zw;
    v_at = corner * a_box.zw;
    v_width = a_box.z;
    v_across = 0.0;
    if (a_line.a > 0.0) {
        vec2 along = normalize(a_box.zw - a_box.xy);
        v_across = (2.0 * corner.x - 1.0) * 2.6 * u_scale;
        pixel = mix(a_box.xy, a_box.zw, corner.y) + v_across * vec2(-along.y, along.x);
    }
    v_line = a_line;
    v_seen = seen();
    gl_Position = vec4(pixel.x / u_size.x * 2.0 - 1.0, 1.0 - pixel.y / u_size.y * 2.0, -1.0, 1.0);
    if (v_seen <= 0.0) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
}
