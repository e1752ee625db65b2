#version 330 core
// Drawn on most of the picture, so it is written for software renderers: no power, no texture, few divisions.
uniform vec3 u_plate;    // centre x, y and radius
uniform float u_per_step;
uniform float u_grid;
uniform float u_scale;   // device pixels per pixel of a line's width
uniform vec3 u_floor;
uniform vec3 u_line;
uniform float u_opacity;
in vec2 v_at;
out vec4 o_colour;       // premultiplied: plate, lines and axes laid over each other

// How much of a pixel the nearest line of `width` pixels covers; `pixels` is the way between lines, fine lines fade far away.
float lines(vec2 at, vec2 pixels, float width, float wide) {
    vec2 near = abs(fract(at - 0.5) - 0.5) * pixels;
    return clamp(width + 0.5 - min(near.x, near.y), 0.0, 1.0) * clamp(1.25 - 3.125 * wide, 0.0, 1.0);
}

void over(inout vec4 below, vec3 colour, float alpha) {
    below = vec4(colour * alpha, alpha) + below * (1.0 - alpha);
}

void main() {
    vec2 off = (v_at - u_plate.xy) * (1.0 / u_plate.z);
    float away = dot(off, off);
    if (away >= 1.0) discard;
    vec4 seen = vec4(u_floor * u_opacity, u_opacity);
    if (u_grid > 0.0) {
        vec2 at = v_at * u_per_step, pixels = 1.0 / (u_scale * fwidth(at));
        float wide = 1.0 / min(pixels.x, pixels.y);
        over(seen, u_line, max(0.30 * lines(5.0 * at, 0.2 * pixels, 0.5, 5.0 * wide), 0.75 * lines(at, pixels, 0.6, wide)));
        vec2 axes = 0.8 * clamp(1.4 - abs(at) * pixels, 0.0, 1.0);
        over(seen, vec3(0.78, 0.33, 0.35), axes.y);
        over(seen, vec3(0.25, 0.60, 0.36), axes.x);
    }
    o_colour = seen * (1.0 - smoothstep(0.38, 1.0, away));
}
