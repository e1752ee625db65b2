// A camera that orbits a point: mouse, touch and keys.

"use strict";

class Camera {
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    this.fit([0, 0, 0.5], 1);
    this.pointers = new Map();
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  /** Show a ball around a point from the default side. */
  fit(centre, radius) {
    this.home = { centre: [...centre], radius };
    this.reset();
  }

  reset() {
    this.target = [...this.home.centre];
    this.distance = 2.9 * this.home.radius;
    this.azimuth = -0.9;
    this.elevation = 0.42;
    this.changed();
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const after = [event.clientX, event.clientY], dx = after[0] - before[0], dy = after[1] - before[1];
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      const apart = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]) || 1;
      this.zoom(apart(before) / apart(after));
      this.pan(dx / 2, dy / 2);
    } else if (event.buttons & 6 || event.shiftKey) {
      this.pan(dx, dy);
    } else {
      this.orbit(-0.008 * dx, 0.008 * dy);
    }
    this.pointers.set(event.pointerId, after);
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(0.0012 * event.deltaY * (event.deltaMode === 1 ? 16 : 1)));
  }

  key(event) {
    const turns = { ArrowLeft: [0.08, 0], ArrowRight: [-0.08, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08] }[event.key];
    if (turns) this.orbit(...turns);
    else if (event.key === "+" || event.key === "=") this.zoom(1 / 1.15);
    else if (event.key === "-") this.zoom(1.15);
    else return;
    event.preventDefault();
  }

  orbit(azimuth, elevation) {
    this.azimuth += azimuth;
    this.elevation = Math.min(Math.max(this.elevation + elevation, -1.55), 1.55);
    this.changed();
  }

  zoom(factor) {
    this.distance = Math.min(Math.max(this.distance * factor, 0.05 * this.home.radius), 60 * this.home.radius);
    this.changed();
  }

  pan(dx, dy) {
    const [right, up] = this.axes(), scale = (0.82 * this.distance) / this.canvas.clientHeight;
    this.target = this.target.map((x, k) => x - scale * (dx * right[k] - dy * up[k]));
    this.changed();
  }

  /** Unit vectors to the right, up and towards the eye, in world axes. */
  axes() {
    const [ca, sa, ce, se] = [Math.cos(this.azimuth), Math.sin(this.azimuth), Math.cos(this.elevation), Math.sin(this.elevation)];
    return [[-sa, ca, 0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]];
  }

  eye() {
    const back = this.axes()[2];
    return this.target.map((x, k) => x + this.distance * back[k]);
  }

  /** Matrix from world coordinates to clip coordinates, row after row. */
  matrix(aspect) {
    const [right, up, back] = this.axes(), eye = this.eye();
    const view = identity();
    [right, up, back].forEach((axis, row) => {
      axis.forEach((x, k) => (view[4 * row + k] = x));
      view[4 * row + 3] = -dot(axis, eye);
    });
    const f = 2.42, near = 0.02 * this.distance, far = this.distance + 40 * this.home.radius;
    const lens = new Float64Array(16);
    lens[0] = f / Math.max(aspect, 0.8);
    lens[5] = (f / Math.max(aspect, 0.8)) * aspect;
    lens[10] = -(far + near) / (far - near);
    lens[11] = (-2 * far * near) / (far - near);
    lens[14] = -1;
    return product(lens, view);
  }
}
