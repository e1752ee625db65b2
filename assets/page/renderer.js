// Drawing with WebGL 2 and one shader: solids of the arm and its cell, their shadows on the floor, the grid and the frames.

"use strict";

const VERTEX_SHADER = `#version 300 es
uniform mat4 clip, pose;
uniform vec3 low, span;
in vec3 place, direction, colour;
out vec3 at, normal, tint;
void main() {
  vec4 world = pose * vec4(low + span * place, 1.0);
  at = world.xyz;
  normal = mat3(pose) * direction;
  tint = colour * colour;
  gl_Position = clip * world;
}`;

const FRAGMENT_SHADER = `#version 300 es
precision highp float;
uniform vec3 eye, sky, ground;
uniform vec4 cover;
uniform float light, opacity;
in vec3 at, normal, tint;
out vec4 pixel;
void main() {
  vec3 linear = mix(tint, cover.rgb, cover.a);
  pixel = vec4(pow(linear, vec3(1.0 / 2.2)), opacity);
  if (light == 0.0) return;
  vec3 n = normalize(normal), look = normalize(eye - at);
  if (dot(n, look) < 0.0) n = -n;
  vec3 lamp = normalize(vec3(0.35, -0.45, 0.85));
  vec3 around = mix(ground, sky, 0.5 + 0.5 * n.z);
  float shine = pow(max(dot(n, normalize(lamp + look)), 0.0), 40.0);
  vec3 lit = linear * (around + 0.75 * max(dot(n, lamp), 0.0)) + 0.10 * shine;
  pixel.rgb = pow(mix(linear, lit, light), vec3(1.0 / 2.2));
}`;

const LOOKS = {
  light: { back: [0.945, 0.953, 0.965], grid: [0.66, 0.69, 0.74], sky: [0.55, 0.57, 0.6], ground: [0.3, 0.29, 0.28], shadow: 0.22 },
  dark: { back: [0.075, 0.09, 0.11], grid: [0.035, 0.043, 0.054], sky: [0.42, 0.44, 0.48], ground: [0.16, 0.15, 0.15], shadow: 0.5 },
};
const WARNING = { 1: [0.75, 0.3, 0.0, 0.55], 2: [0.62, 0.03, 0.02, 0.6] };
const AXES = [[0.75, 0.03, 0.05], [0.03, 0.42, 0.07], [0.05, 0.16, 0.8]];
const PLAIN = [0, 0, 0, 0];
const SECOND = [0.69, 0.223, 0.024, 0.4]; // of the second arm

/** Positions and normals of a box between two corners, as triangles. */
function boxTriangles(low, high) {
  const places = [], normals = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [0, 1]) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3], normal = [0, 0, 0];
      normal[axis] = 2 * side - 1;
      for (const [a, b] of [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]]) {
        const place = [];
        place[axis] = side ? high[axis] : low[axis];
        place[u] = a ? high[u] : low[u];
        place[v] = b ? high[v] : low[v];
        places.push(...place);
        normals.push(...normal);
      }
    }
  return { places, normals };
}

class Renderer {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = (this.gl = canvas.getContext("webgl2", { antialias: true, stencil: true, preserveDrawingBuffer: true }));
    if (!gl) throw new Error("This browser has no WebGL 2, which the 3D view needs.");
    this.program = this.linked();
    this.uniform = {};
    for (let k = 0; k < gl.getProgramParameter(this.program, gl.ACTIVE_UNIFORMS); k++) {
      const { name } = gl.getActiveUniform(this.program, k);
      this.uniform[name] = gl.getUniformLocation(this.program, name);
    }
    gl.useProgram(this.program);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  linked() {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX_SHADER], [gl.FRAGMENT_SHADER, FRAGMENT_SHADER]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    ["place", "direction", "colour"].forEach((name, index) => gl.bindAttribLocation(program, index, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error("The shader of the 3D view cannot be compiled here.");
    return program;
  }

  /** Solids from typed arrays of the page; positions are fractions of the box `low` + `span`. */
  solids(mesh, places, normals, colours, faces) {
    return { ...this.loaded([[places, 3, true], [normals, 3, true], [colours, 3, true]], faces), low: mesh.low, span: mesh.span, starts: mesh.starts };
  }

  /** Triangles or lines in one place from lists of coordinates; without normals they are lines. */
  simple(places, normals) {
    const parts = [[new Float32Array(places), 3, false], [new Float32Array(normals || places.length), 3, false]];
    return { ...this.loaded(parts, null), low: [0, 0, 0], span: [1, 1, 1], count: places.length / 3 };
  }

  loaded(attributes, faces) {
    const gl = this.gl, array = gl.createVertexArray();
    const kinds = new Map([[Uint16Array, gl.UNSIGNED_SHORT], [Int8Array, gl.BYTE], [Uint8Array, gl.UNSIGNED_BYTE], [Float32Array, gl.FLOAT]]);
    gl.bindVertexArray(array);
    attributes.forEach(([values, size, isFraction], index) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, kinds.get(values.constructor), isFraction, 0, 0);
    });
    if (faces) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
    }
    return { array };
  }

  /** Begin a picture with a camera in a theme. */
  begin(camera, theme) {
    const gl = this.gl, canvas = this.canvas, ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [Math.max(1, Math.round(canvas.clientWidth * ratio)), Math.max(1, Math.round(canvas.clientHeight * ratio))];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    this.look = LOOKS[theme];
    gl.viewport(0, 0, width, height);
    gl.clearColor(...this.look.back, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    this.matrix("clip", camera.matrix(width / height));
    gl.uniform3fv(this.uniform.eye, camera.eye());
    gl.uniform3fv(this.uniform.sky, this.look.sky);
    gl.uniform3fv(this.uniform.ground, this.look.ground);
  }

  matrix(name, X) {
    this.gl.uniformMatrix4fv(this.uniform[name], true, new Float32Array(X));
  }

  use(shape, pose, cover, light, opacity = 1) {
    const gl = this.gl;
    gl.bindVertexArray(shape.array);
    this.matrix("pose", pose);
    gl.uniform3fv(this.uniform.low, shape.low);
    gl.uniform3fv(this.uniform.span, shape.span);
    gl.uniform4fv(this.uniform.cover, cover);
    gl.uniform1f(this.uniform.light, light);
    gl.uniform1f(this.uniform.opacity, opacity);
  }

  /** Solids whose triangles `starts[s]` to `starts[s + 1]` stand in slot s. */
  drawSolids(solids, poses, level = 0, opacity = 1, cover = PLAIN) {
    const gl = this.gl;
    if (opacity < 1) gl.enable(gl.BLEND);
    gl.depthMask(opacity === 1);
    poses.forEach((pose, slot) => {
      this.use(solids, pose, slot && WARNING[level] ? WARNING[level] : cover, 1, opacity);
      this.drawSlot(solids, slot);
    });
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  /** A second arm; a translucent one shows its nearest faces only. */
  drawSecond(solids, poses, opacity) {
    const gl = this.gl;
    if (opacity < 1) {
      gl.colorMask(false, false, false, false);
      this.drawSolids(solids, poses);
      gl.colorMask(true, true, true, true);
      gl.depthFunc(gl.LEQUAL);
    }
    this.drawSolids(solids, poses, 0, opacity, SECOND);
    gl.depthFunc(gl.LESS);
  }

  /** The shadows of solids on the plane z = floor, each pixel once. */
  drawShadows(solids, poses, floor) {
    const gl = this.gl, flat = identity();
    [flat[2], flat[6], flat[10]] = [-0.35 / 0.85, 0.45 / 0.85, 0];
    [flat[3], flat[7], flat[11]] = [(floor * 0.35) / 0.85, (-floor * 0.45) / 0.85, floor + 1e-4];
    gl.enable(gl.BLEND);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.depthMask(false);
    poses.forEach((pose, slot) => {
      this.use(solids, product(flat, pose), [0, 0, 0, 1], 0, this.look.shadow);
      this.drawSlot(solids, slot);
    });
    gl.depthMask(true);
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.BLEND);
  }

  drawSlot(solids, slot) {
    const first = solids.starts[slot], count = solids.starts[slot + 1] - first, gl = this.gl;
    if (count > 0) gl.drawElements(gl.TRIANGLES, 3 * count, gl.UNSIGNED_INT, 12 * first);
  }

  drawLines(lines, pose) {
    this.use(lines, pose, [...this.look.grid, 1], 0);
    this.gl.drawArrays(this.gl.LINES, 0, lines.count);
  }

  /** Frames as three bars each, x red, y green, z blue; those within a solid shine through it. */
  drawFrames(bars, poses) {
    const gl = this.gl;
    gl.enable(gl.BLEND);
    for (const [order, opacity] of [[gl.GREATER, 0.45], [gl.LESS, 1]]) {
      gl.depthFunc(order);
      for (const pose of poses)
        bars.forEach((bar, axis) => {
          this.use(bar, pose, [...AXES[axis], 1], 0.35, opacity);
          gl.drawArrays(gl.TRIANGLES, 0, bar.count);
        });
    }
    gl.disable(gl.BLEND);
  }
}
