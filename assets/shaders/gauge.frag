#version 330 core
uniform vec3 u_calm;
uniform vec3 u_near;
uniform vec3 u_out;
uniform vec3 u_ink;
uniform float u_margin;
uniform float u_opacity;
in vec2 v_at;
flat in vec4 v_state;
flat in float v_limited;
out vec4 o_colour;
const float TAU = 6.28318531;

vec4 shown = vec4(0.0);

void lay(vec3 colour, float alpha) {
    shown = vec4(mix(shown.rgb, colour, alpha / max(alpha + shown.a * (1.0 - alpha), 1e-4)), alpha + shown.a * (1.0 - alpha));
}

// How much of a pixel lies between two bounds; `size` is that of a pixel.
float within(float value, float low, float high, float size) {
    return clamp(0.5 + (value - low) / size, 0.0, 1.0) * clamp(0.5 + (high - value) / size, 0.0, 1.0);
}

float sector(float angle, float start, float span, float radius, float size) {
    if (span >= TAU) return 1.0;
    float t = mod(angle - start, TAU);
    float inside = t < span ? min(t, span - t) : -min(t - span, TAU - t);
    return clamp(0.5 + inside * radius / size, 0.0, 1.0);
}

float spoke(float angle, float low, float high, float half_width, float radius, float size) {
    vec2 way = vec2(cos(angle), sin(angle));
    float aside = abs(dot(v_at, vec2(-way.y, way.x)));
    return within(aside, -1e9, half_width, size) * within(radius, low, high, size) * step(0.0, dot(v_at, way));
}

void turning(float size, vec3 colour) {
    float q = v_state.x, low = v_state.y, high = v_state.z, radius = v_state.w;
    float r = length(v_at), angle = atan(v_at.y, v_at.x);
    lay(u_ink, 0.26 * sector(angle, low, high - low, r, size) * within(r, 0.88 * radius, radius, size));
    float whole = abs(q) >= TAU ? 1.0 : 0.0;
    float span = abs(q) - TAU * floor(abs(q) / TAU);
    float fan = max(sector(angle, q < 0.0 ? -span : 0.0, span, r, size), 0.5 * whole);
    lay(colour, 0.42 * fan * within(r, 0.0, 0.88 * radius, size));
    lay(colour, 0.95 * fan * within(r, 0.88 * radius, radius, size));
    lay(u_ink, 0.6 * spoke(0.0, 0.0, 1.08 * radius, 0.6 * size, r, size));
    if (v_limited > 0.5) {
        lay(u_ink, 0.9 * max(spoke(low, 0.82 * radius, 1.1 * radius, 1.2 * size, r, size), spoke(high, 0.82 * radius, 1.1 * radius, 1.2 * size, r, size)));
    }
    lay(colour, spoke(q, 0.0, 1.16 * radius, 1.4 * size, r, size));
}

void sliding(float size, vec3 colour) {
    float q = v_state.x, low = v_state.y, high = v_state.z, half_ = -v_state.w;
    float from = clamp(0.0, low, high), aside = abs(v_at.x);
    lay(u_ink, 0.26 * within(v_at.y, low, high, size) * within(aside, -1e9, 0.3 * half_, size));
    lay(colour, 0.85 * within(v_at.y, min(from, q), max(from, q), size) * within(aside, -1e9, 0.3 * half_, size));
    float decade = pow(10.0, floor(log(high - low) / log(10.0))), marks = (high - low) / decade;
    float spacing = decade * (marks < 2.5 ? 0.1 : marks < 5.0 ? 0.25 : 0.5);
    float to_mark = abs(mod(v_at.y + 0.5 * spacing, spacing) - 0.5 * spacing);
    lay(u_ink, 0.6 * within(to_mark, -1e9, 0.5 * size, size) * within(aside, -1e9, 0.45 * half_, size) * within(v_at.y, low, high, size));
    float stops = max(within(abs(v_at.y - low), -1e9, size, size), within(abs(v_at.y - high), -1e9, size, size));
    lay(u_ink, 0.9 * v_limited * stops * within(aside, -1e9, 0.7 * half_, size));
    lay(colour, within(abs(v_at.y - q), -1e9, 1.4 * size, size) * within(aside, -1e9, 0.95 * half_, size));
}

void main() {
    float size = 0.7 * length(fwidth(v_at));
    float q = v_state.x, low = v_state.y, high = v_state.z;
    float room = min(q - low, high - q), margin = u_margin * (high - low);
    vec3 colour = v_limited < 0.5 || room > margin ? u_calm : room < -1e-6 ? u_out : u_near;
    if (v_state.w > 0.0) turning(size, colour); else sliding(size, colour);
    if (shown.a < 0.004) discard;
    o_colour = vec4(shown.rgb, shown.a * u_opacity);
}
