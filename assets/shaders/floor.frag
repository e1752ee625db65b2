#version 330 core
uniform vec4 u_plate;
uniform vec3 u_patch;
uniform float u_step;
uniform float u_grid;
uniform vec3 u_floor;
uniform vec3 u_line;
uniform float u_opacity;
uniform float u_shadow;
uniform sampler2D u_image;
in vec2 v_at;
out vec4 o_colour;

float lines(vec2 at, float spacing, float width) {
    vec2 size = fwidth(at / spacing);
    vec2 near = abs(fract(at / spacing - 0.5) - 0.5) / size;
    float seen = 1.0 - smoothstep(0.08, 0.40, max(size.x, size.y));
    return (1.0 - smoothstep(width - 0.6, width + 0.6, min(near.x, near.y))) * seen;
}

float axis(float across, float width) {
    return 1.0 - smoothstep(width - 0.6, width + 0.6, abs(across) / fwidth(across));
}

void main() {
    float edge = 1.0 - smoothstep(0.62, 1.0, length(v_at - u_plate.xy) / u_plate.z);
    vec3 colour = u_floor;
    float alpha = u_opacity;
    float line = 0.30 * lines(v_at, u_step / 5.0, 0.5);
    line = max(line, 0.75 * lines(v_at, u_step, 0.6)) * u_grid;
    colour = mix(colour, u_line, line);
    alpha = max(alpha, line);
    float x = axis(v_at.y, 0.9) * u_grid, y = axis(v_at.x, 0.9) * u_grid;
    colour = mix(colour, vec3(0.78, 0.33, 0.35), x * 0.8);
    colour = mix(colour, vec3(0.25, 0.60, 0.36), y * 0.8);
    alpha = max(alpha, 0.8 * max(x, y));
    vec2 uv = (v_at - u_patch.xy) / (2.0 * u_patch.z) + 0.5;
    float dark = u_shadow * texture(u_image, uv).r;
    colour *= 1.0 - dark;
    alpha = max(alpha, dark);
    o_colour = vec4(colour, alpha * edge);
}
