// Key, fill and rim light over a sky-and-floor ambient. Colours are linear; `encode` is the last step.
const vec3 KEY = normalize(vec3(0.42, -0.50, 0.76));

// Software renderers take powers and logarithms for dear: square roots and one exponential do.
vec3 encode(vec3 linear) {
    vec3 root = sqrt(clamp(linear, 0.0, 1.0));
    return mix(root, sqrt(root), 0.14);   // the power 1 / 2.2, within two grey levels
}

float highlight(float cosine, float power) {
    return exp2(1.4427 * power * (max(cosine, 0.0) - 1.0));   // cosine to the power, where that is not nearly 0
}

vec3 lit(vec3 albedo, vec3 normal, vec3 to_eye, vec3 eye_right, float gloss) {
    // The fill follows the eye, so that no side is ever black.
    vec3 fill = normalize(to_eye + 0.55 * vec3(0.0, 0.0, 1.0) - 0.45 * eye_right);
    float key = max(dot(normal, KEY), 0.0);
    float soft = max(dot(normal, fill) * 0.65 + 0.35, 0.0);
    vec3 ambient = mix(vec3(0.17, 0.165, 0.16), vec3(0.40, 0.43, 0.47), normal.z * 0.5 + 0.5);
    vec3 light = ambient + vec3(1.0, 0.97, 0.92) * 0.62 * key + vec3(0.90, 0.95, 1.0) * 0.22 * soft;
    float power = mix(12.0, 90.0, gloss);
    float shine = highlight(dot(normal, normalize(KEY + to_eye)), power) * gloss * 0.55;
    shine += highlight(dot(normal, normalize(fill + to_eye)), power) * gloss * 0.12;
    float rim = 1.0 - max(dot(normal, to_eye), 0.0);
    float edge = rim * rim * rim * sqrt(rim) * (0.55 + 0.45 * max(normal.z, 0.0));
    return albedo * light + vec3(shine) + vec3(0.55, 0.65, 0.78) * edge * 0.48;
}
