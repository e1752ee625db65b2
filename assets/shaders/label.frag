#version 330 core
uniform samplerBuffer u_image;
uniform vec3 u_halo;
uniform float u_scale;
in vec2 v_at;
in float v_across;
flat in vec4 v_line;
flat in float v_width;
flat in float v_seen;
out vec4 o_colour;

void main() {
    if (v_line.a > 0.0) {
        float away = abs(v_across) / u_scale;
        float ink = 1.0 - smoothstep(0.3, 1.0, away);
        float solid = mix(0.55 * (1.0 - smoothstep(1.2, 2.6, away)), v_line.a, ink);
        o_colour = vec4(mix(u_halo, v_line.rgb, ink) * solid, solid) * v_seen;
        return;
    }
    o_colour = texelFetch(u_image, int(v_line.x) + int(v_at.y) * int(v_width) + int(v_at.x)) * v_seen;
}
