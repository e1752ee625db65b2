#version 330 core
uniform vec3 u_top;
uniform vec3 u_bottom;
in vec2 v_at;
out vec4 o_colour;

void main() {
    vec3 colour = mix(u_bottom, u_top, smoothstep(0.0, 1.0, v_at.y));
    // Half a grey level of noise hides the steps of an 8-bit gradient.
    float noise = fract(52.9829 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    o_colour = vec4(colour + (noise - 0.5) / 255.0, 1.0);
}
