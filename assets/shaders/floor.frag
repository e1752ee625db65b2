#version 330 core
uniform vec4 u_plate;
uniform vec3 u_patch;
uniform float u_step;
uniform float u_grid;
uniform float u_scale;   // device pixels per pixel of a line's width
uniform vec3 u_floor;
uniform vec3 u_line;
uniform float u_opacity;
uniform float u_shadow;
uniform sampler2D u_image;
in vec2 v_at;
out vec4 o_colour;   // premultiplied: plate, lines, axes and shadow laid over each other

// How much of a pixel of size `size` (in steps) the nearest line of `width` pixels covers; fine lines fade far away.
float lines(vec2 at, vec2 size, float width) {
    vec2 near = abs(fract(at - 0.5) - 0.5) / size;
    float far = clamp((max(size.x, size.y) - 0.08) * 3.125, 0.0, 1.0);
    return clamp(width + 0.5 - min(near.x, near.y), 0.0, 1.0) * (1.0 - far);
}

void over(inout vec4 below, vec3 colour, float alpha) {
    below = vec4(colour * alpha, alpha) + below * (1.0 - alpha);
}

void main() {
    vec2 off = v_at - u_plate.xy;
    float away = dot(off, off) / (u_plate.z * u_plate.z);
    if (away >= 1.0) discard;
    vec2 pixel = u_scale * fwidth(v_at);
    vec4 seen = vec4(u_floor * u_opacity, u_opacity);
    if (u_grid > 0.0) {
        vec2 at = v_at / u_step, size = pixel / u_step;
        over(seen, u_line, max(0.30 * lines(5.0 * at, 5.0 * size, 0.5), 0.75 * lines(at, size, 0.6)));
        vec2 axes = 0.8 * clamp(1.4 - abs(v_at) / pixel, 0.0, 1.0);
        over(seen, vec3(0.78, 0.33, 0.35), axes.y);
        over(seen, vec3(0.25, 0.60, 0.36), axes.x);
    }
    vec2 uv = (v_at - u_patch.xy) / (2.0 * u_patch.z) + 0.5;
    if (all(greaterThan(uv, vec2(0.0))) && all(lessThan(uv, vec2(1.0)))) {
        over(seen, vec3(0.0), u_shadow * textureLod(u_image, uv, 0.0).r);
    }
    o_colour = seen * (1.0 - smoothstep(0.38, 1.0, away));
}
