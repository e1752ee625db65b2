#version 330 core
uniform float u_opacity;
noperspective in vec2 v_at;
flat in vec4 v_colour;
flat in vec2 v_style;
out vec4 o_colour;

void main() {
    float solid = 1.0 - smoothstep(0.5 * v_style.x - 0.5, 0.5 * v_style.x + 0.5, abs(v_at.y));
    if (v_style.y > 0.0) {
        float along = mod(v_at.x, 2.0 * v_style.y);
        solid *= clamp(0.5 + min(along, v_style.y - along), 0.0, 1.0);
    }
    o_colour = vec4(v_colour.rgb, v_colour.a * solid * u_opacity);
}
