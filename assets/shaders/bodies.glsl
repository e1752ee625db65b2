// One pose and one state per slot; `state` is (link tint, housing tint, glow, opacity).
struct Body {
    mat4 pose;
    vec4 state;
};
layout(std140) uniform Bodies {
    Body bodies[MAX_SLOTS];
};

// Normals turn with the cofactors of the pose, which stays right when the pose also stretches.
vec3 turned(mat4 pose, vec3 normal) {
    mat3 m = mat3(pose);
    return normalize(mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * normal);
}
