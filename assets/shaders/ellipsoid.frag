#version 330 core
uniform vec3 u_eye;
uniform vec3 u_colour;
uniform float u_line;
in vec3 v_local;
in vec3 v_position;
in vec3 v_normal;
out vec4 o_colour;

void main() {
    float facing = abs(dot(normalize(v_normal), normalize(u_eye - v_position)));
    float rim = pow(1.0 - facing, 2.0);
    // The principal sections: great circles of the ball that the ellipsoid was.
    vec3 away = abs(v_local) / max(fwidth(v_local), 1e-6);
    float section = 1.0 - smoothstep(0.3 * u_line, 1.1 * u_line, min(away.x, min(away.y, away.z)));
    o_colour = vec4(mix(u_colour, vec3(1.0), 0.25 * facing), 0.20 + 0.60 * max(rim, 0.55 * section));
}
