// One pose and one state per slot, five texels each; `state` is (link tint, housing tint, glow, opacity).
struct Body {
    mat4 pose;
    vec4 state;
};
uniform samplerBuffer u_bodies;

Body body_of(uint slot) {
    int at = 5 * int(slot);
    mat4 pose = mat4(texelFetch(u_bodies, at), texelFetch(u_bodies, at + 1), texelFetch(u_bodies, at + 2), texelFetch(u_bodies, at + 3));
    return Body(pose, texelFetch(u_bodies, at + 4));
}

// Normals turn with the cofactors of the pose, which stays right when the pose also stretches.
vec3 turned(mat4 pose, vec3 normal) {
    mat3 m = mat3(pose);
    return normalize(mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * normal);
}
