// The page: reads the data, builds its parts and follows time, joints and theme.

"use strict";

class Page {
  constructor(data) {
    this.data = data;
    this.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    this.q = data.arm.home;
    this.time = 0;
    this.speed = 1;
    this.isPlaying = false;
    this.showsFrames = false;
    this.plots = [];
  }

  async load() {
    const { data } = this;
    this.renderer = new Renderer(byId("view"));
    this.solids = await this.loadedSolids(data.solids);
    this.cell = await Promise.all(data.cell.map(async (thing) => ({ ...thing, solids: await this.loadedSolids(thing.solids) })));
    if (data.second) await this.loadSecond(data.second);
    if (data.payload.solids) this.cube = await this.loadedSolids(data.payload.solids);
    this.addSurroundings();
    if (data.recording) {
      [this.times] = await columnsOf(data.recording.time);
      this.positions = await columnsOf(data.recording.q);
      this.columns = await Promise.all(data.recording.panes.map((pane) => columnsOf(pane.values)));
      this.time = this.times[0];
    }
    this.camera = new Camera(this.renderer.canvas, () => this.request());
    this.camera.fit(data.view.centre, data.view.radius);
    this.addSide();
    this.connect();
    this.setTheme(this.theme);
    if (this.times) this.setTime(this.time);
  }

  async loadedSolids(mesh) {
    const [places, normals, colours, faces] = await Promise.all([
      typedArray(mesh.places, Uint16Array), typedArray(mesh.normals, Int8Array), typedArray(mesh.colours, Uint8Array), typedArray(mesh.faces, Uint32Array),
    ]);
    return this.renderer.solids(mesh, places, normals, colours, faces);
  }

  /** The second arm, which has the joint positions of the first or those of its own columns. */
  async loadSecond({ solids, time, q, captions, shift }) {
    this.secondSolids = solids ? await this.loadedSolids(solids) : this.solids;
    if (q) [[this.secondTimes], this.secondColumns] = [await columnsOf(time), await columnsOf(q)];
    this.isBeside = shift.some((x) => x !== 0);
    const texts = this.isBeside ? captions : [`solid: ${captions[0]} · translucent: ${captions[1]}`];
    byId("captions").hidden = false;
    byId("captions").className = this.isBeside ? "" : "over";
    for (const text of texts) added(byId("captions"), "span", { textContent: text });
  }

  /** The grid on the floor, with cells of 0.1, 1, … m, and the bars of a frame. */
  addSurroundings() {
    const { floor, radius } = this.data.view, step = 10 ** Math.floor(Math.log10(0.7 * radius)), half = Math.ceil((1.6 * radius) / step), places = [];
    for (let k = -half; k <= half; k++) {
      places.push(k * step, -half * step, floor, k * step, half * step, floor);
      places.push(-half * step, k * step, floor, half * step, k * step, floor);
    }
    this.grid = this.renderer.simple(places, null);
    const [long, thin] = [0.13 * radius, 0.004 * radius];
    this.bars = [0, 1, 2].map((axis) => {
      const low = [-thin, -thin, -thin], high = [thin, thin, thin];
      high[axis] = long;
      const { places, normals } = boxTriangles(low, high);
      return this.renderer.simple(places, normals);
    });
  }

  addSide() {
    const side = byId("side"), { data } = this;
    this.addJoints(group(side, "Joints", true));
    if (this.columns && this.columns.length) {
      const box = group(side, "Plots", true);
      box.addEventListener("toggle", () => this.request());
      this.plots = data.recording.panes.map((pane, k) => new Plot(box, pane, this.times, this.columns[k], (t) => this.setTime(t)));
    }
    if (data.recording) this.addContacts(group(side, "Contacts", false), data.recording.contacts);
    for (const table of data.tables) addTable(group(side, table.title, false), table);
    if (data.notes) added(group(side, "Notes", true), "p", { className: "notes", textContent: data.notes });
  }

  /** A button and a mark above the time for each contact. */
  addContacts(box, contacts) {
    if (!contacts.length) return void added(box, "p", { textContent: "No contact." });
    const list = added(box, "div", { className: "times" }), first = this.times[0], length = this.times[this.times.length - 1] - first || 1;
    for (const { first: start, last, pair } of contacts) {
      const text = `${pair}, ${start.toFixed(3)} to ${last.toFixed(3)} s`;
      added(list, "button", { textContent: text, title: "Go to this contact" }).addEventListener("click", () => this.setTime(start));
      const mark = added(byId("marks"), "i", {});
      mark.style.left = `${(100 * (start - first)) / length}%`;
      mark.style.width = `${(100 * (last - start)) / length}%`;
    }
  }

  /** A slider for each joint; with a recording it shows the recorded position. */
  addJoints(box) {
    const { arm } = this.data;
    if (!this.data.recording && Object.keys(arm.poses).length) {
      const choice = added(box, "select", { title: "Move to a named pose" });
      choice.setAttribute("aria-label", "Named pose");
      for (const name of Object.keys(arm.poses)) added(choice, "option", { textContent: name, value: name });
      choice.value = "home";
      choice.addEventListener("change", () => this.setJoints(arm.poses[choice.value]));
      box.addEventListener("input", (event) => event.target !== choice && (choice.selectedIndex = -1));
    }
    this.sliders = arm.joints.map((joint, k) => {
      const row = added(box, "label", { className: "joint" });
      added(row, "span", { textContent: joint.name, title: joint.name });
      const slider = added(row, "input", { type: "range", min: joint.low, max: joint.high, step: "any", value: this.q[k], disabled: !!this.data.recording });
      slider.setAttribute("aria-label", joint.name);
      slider.addEventListener("input", () => this.setJoints(this.q.map((x, i) => (i === k ? Number(slider.value) : x))));
      return { slider, output: added(row, "output", {}), joint };
    });
    this.toolOutput = added(box, "p", {});
    this.payloadOutput = added(box, "p", {});
    this.showJoints();
  }

  showJoints() {
    this.sliders.forEach(({ slider, output, joint }, k) => {
      slider.value = this.q[k];
      output.textContent = joint.prismatic ? `${fixed(1000 * this.q[k], 1)} mm` : `${fixed((180 / Math.PI) * this.q[k], 1)}°`;
      slider.setAttribute("aria-valuetext", output.textContent);
    });
    const { tool } = this.data.arm, X = product(this.poses()[tool.body + 1], tool.X_BF);
    this.toolOutput.textContent = `Tool: x ${fixed(X[3], 4)}, y ${fixed(X[7], 4)}, z ${fixed(X[11], 4)} m`;
    this.payloadOutput.textContent = this.held().cubes.length ? `Payload: ${Number(this.held().mass.toPrecision(4))} kg` : "";
  }

  /** The payload at the present time. */
  held() {
    return this.data.payload.held.findLast(({ first }) => first <= this.time) || this.data.payload.held[0];
  }

  connect() {
    byId("theme").addEventListener("click", () => this.setTheme(this.theme === "dark" ? "light" : "dark"));
    byId("frames").addEventListener("click", () => this.setFrames(!this.showsFrames));
    byId("reset").addEventListener("click", () => this.camera.reset());
    new ResizeObserver(() => this.request()).observe(document.body);
    document.addEventListener("keydown", (event) => this.key(event));
    if (!this.times) return;
    const slider = byId("time");
    byId("player").hidden = false;
    [slider.min, slider.max] = [this.times[0], this.times[this.times.length - 1]];
    slider.addEventListener("input", () => this.setTime(Number(slider.value)));
    byId("play").addEventListener("click", () => this.setPlaying(!this.isPlaying));
    byId("speed").addEventListener("change", (event) => (this.speed = Number(event.target.value)));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|BUTTON|SUMMARY)$/.test(event.target.tagName)) return;
    const press = { f: "frames", r: "reset", t: "theme", " ": this.times ? "play" : "" }[event.key.toLowerCase()];
    if (!press) return;
    event.preventDefault();
    byId(press).click();
  }

  setTheme(theme) {
    this.theme = document.documentElement.dataset.theme = theme;
    this.request();
  }

  setFrames(on) {
    this.showsFrames = on;
    byId("frames").setAttribute("aria-pressed", on);
    this.request();
  }

  setJoints(q) {
    this.q = q;
    this.showJoints();
    this.request();
  }

  setTime(t) {
    this.time = t;
    byId("time").value = t;
    byId("time").setAttribute("aria-valuetext", `${t.toFixed(2)} seconds`);
    byId("clock").textContent = `${t.toFixed(3)} / ${this.times[this.times.length - 1].toFixed(3)} s`;
    this.setJoints(this.positions.map((column) => valueAt(this.times, column, t)));
  }

  setPlaying(on) {
    const last = this.times[this.times.length - 1];
    if (on && this.time >= last) this.setTime(this.times[0]);
    this.isPlaying = on;
    byId("play").textContent = on ? "❚❚" : "▶";
    byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
    if (on) requestAnimationFrame((now) => this.step(now, now));
  }

  /** One picture of the replay; `before` is the time of the previous one in ms. */
  step(before, now) {
    if (!this.isPlaying) return;
    const last = this.times[this.times.length - 1], t = Math.min(this.time + (this.speed * (now - before)) / 1000, last);
    this.setTime(t);
    if (t >= last) this.setPlaying(false);
    else requestAnimationFrame((next) => this.step(now, next));
  }

  request() {
    if (this.isDue || !this.sliders) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.draw();
    });
  }

  poses() {
    return bodyPoses(this.data.arm, this.q);
  }

  /** Joint positions of the second arm. */
  secondJoints() {
    return this.secondColumns ? this.secondColumns.map((column) => valueAt(this.secondTimes, column, this.time)) : this.q;
  }

  secondPoses() {
    const { arm, shift } = this.data.second, displaced = identity();
    [displaced[3], displaced[7], displaced[11]] = shift;
    return bodyPoses(arm, this.secondJoints()).map((X) => product(displaced, X));
  }

  draw() {
    const { renderer, data } = this, poses = this.poses(), level = this.showWarning(poses);
    const things = this.cell.map((thing) => [thing, [thing.pose]]).sort(([a], [b]) => b.opacity - a.opacity);
    const tool = product(poses[data.arm.tool.body + 1], data.arm.tool.X_BF);
    const cubes = this.held().cubes.map(({ side, com: [x, y, z] }) => product(tool, [side, 0, 0, x, 0, side, 0, y, 0, 0, side, z, 0, 0, 0, 1]));
    const second = data.second ? this.secondPoses() : [];
    renderer.begin(this.camera, this.theme);
    renderer.drawLines(this.grid, identity());
    if (this.camera.eye()[2] > data.view.floor) {
      renderer.drawShadows(this.solids, poses, data.view.floor);
      if (this.isBeside) renderer.drawShadows(this.secondSolids, second, data.view.floor);
      for (const [thing, places] of things) if (!thing.endless) renderer.drawShadows(thing.solids, places, data.view.floor);
    }
    renderer.drawSolids(this.solids, poses, level);
    if (this.isBeside) renderer.drawSecond(this.secondSolids, second, 1);
    for (const cube of cubes) renderer.drawSolids(this.cube, [cube]);
    for (const [thing, places] of things) renderer.drawSolids(thing.solids, places, 0, thing.opacity);
    if (data.second && !this.isBeside) renderer.drawSecond(this.secondSolids, second, 0.55);
    const frames = data.arm.frames.map((frame) => product(poses[frame.body + 1], frame.X_BF));
    if (this.showsFrames) renderer.drawFrames(this.bars, frames);
    byId("names").hidden = !this.showsFrames;
    if (this.showsFrames) this.placeTexts(byId("names"), frames.map((X, k) => [X, data.arm.frames[k].name]), 8, -8);
    if (this.isBeside) this.placeTexts(byId("captions"), data.second.bases.map((X) => [X]), 0, 14);
    this.showContact();
    this.plots.forEach((plot) => plot.draw(this.time, this.theme));
  }

  /** Put texts beside the origins of poses, displaced by pixels. */
  placeTexts(box, places, right, down) {
    const { clientWidth: width, clientHeight: height } = this.renderer.canvas;
    const clip = this.camera.matrix(width / height);
    places.forEach(([X, text], k) => {
      const name = box.children[k] || added(box, "span", { textContent: text });
      const [x, y, w] = [0, 4, 12].map((row) => clip[row] * X[3] + clip[row + 1] * X[7] + clip[row + 2] * X[11] + clip[row + 3]);
      name.hidden = w <= 0;
      name.style.transform = `translate(${(0.5 + (0.5 * x) / w) * width + right}px, ${(0.5 - (0.5 * y) / w) * height + down}px)`;
    });
  }

  showContact() {
    const found = this.data.recording && this.data.recording.contacts.find(({ first, last }) => first <= this.time && this.time <= last);
    byId("contact").hidden = !found;
    if (found) byId("contact").textContent = `Contact: ${found.pair}`;
  }

  /** Show why the arm is near a singularity; returns 0 fine, 1 near, 2 singular. */
  showWarning(poses) {
    const { arm, recording } = this.data, box = byId("warning");
    let level = 0, text = "";
    if (recording) {
      const found = recording.singular.find(({ first, last }) => first <= this.time && this.time <= last);
      if (found) ({ level, text } = found);
    } else {
      const condition = conditionNumber(arm, this.q, poses);
      level = Number(condition >= arm.warn) + Number(condition >= arm.stop);
      text = Number.isFinite(condition)
        ? `Near a singularity: condition number ${condition.toPrecision(3)}. The tool moves slowly in one direction, however fast the joints move.`
        : "Singular: there is a direction in which no joint moves the tool.";
    }
    box.hidden = level === 0;
    box.className = level === 2 ? "stop" : "";
    if (level && box.textContent !== text) box.textContent = text;
    return level;
  }
}

/** A number with so many decimals, with a minus sign and without "−0"; "–" for none. */
function fixed(value, decimals) {
  if (Number.isNaN(value)) return "–";
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

function byId(name) {
  return document.getElementById(name);
}

/** A group with a title that folds; returns the element for its content. */
function group(parent, title, isOpen) {
  const box = added(parent, "details", { open: isOpen });
  added(box, "summary", { textContent: title });
  return box;
}

function addTable(box, { head, rows }) {
  const table = added(box, "table", {}), top = added(added(table, "thead", {}), "tr", {}), body = added(table, "tbody", {});
  for (const text of head) added(top, "th", { textContent: text, scope: "col" });
  for (const row of rows) {
    const line = added(body, "tr", {});
    for (const text of row) added(line, "td", { textContent: text });
  }
}

const page = new Page(JSON.parse(byId("data").textContent));
page.load().then(
  () => document.documentElement.setAttribute("data-ready", ""),
  (error) => {
    byId("problem").hidden = false;
    byId("problem").textContent = error.message;
  },
);
