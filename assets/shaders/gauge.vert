#version 330 core
// One instance per joint: a square across the axis of one that turns, a strip beside the axis of one that slides.
layout(location = 0) in vec4 a_x;       // axes and place of the joint at 0, in the world
layout(location = 1) in vec4 a_y;
layout(location = 2) in vec4 a_z;
layout(location = 3) in vec4 a_place;   // the last number: whether there are limits
layout(location = 4) in vec4 a_state;   // value, limits, and the radius in m: below 0 for a joint that slides
uniform mat4 u_clip;
uniform vec3 u_eye;
out vec2 v_at;
flat out vec4 v_state;
flat out float v_limited;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    float size = abs(a_state.w);
    v_state = a_state;
    v_limited = a_place.w;
    vec3 world;
    if (a_state.w > 0.0) {
        v_at = 1.2 * size * corner;
        world = a_place.xyz + a_x.xyz * v_at.x + a_y.xyz * v_at.y;
    } else {
        vec3 across = normalize(cross(a_z.xyz, u_eye - a_place.xyz) + vec3(1e-6));
        v_at = vec2(size * corner.x, (corner.y < 0.0 ? min(a_state.y, a_state.x) : max(a_state.z, a_state.x)) + 0.2 * size * corner.y);
        world = a_place.xyz + a_z.xyz * v_at.y + across * (2.0 * size + v_at.x);
    }
    gl_Position = u_clip * vec4(world, 1.0);
}
