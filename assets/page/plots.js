// Curves over time with a cursor at the present one; a press or drag in a plot moves to that time.

"use strict";

const MARGIN = 52; // pixels left of the curves, for the numbers
const FOOT = 18; // pixels below them
const CURVES = {
  light: ["#1769c2", "#c2571a", "#2a8a3e", "#a12a7c", "#7a6a00", "#00838f", "#6a3fb5", "#8a4b2f"],
  dark: ["#6db3ff", "#ffa362", "#6fd285", "#f08fd0", "#e0cf55", "#5fd6e2", "#b79bff", "#d9a07f"],
};

class Plot {
  constructor(parent, pane, times, columns, moved) {
    Object.assign(this, { pane, times, columns, moved });
    const box = added(parent, "section", { className: "plot" });
    added(box, "h3", { textContent: pane.unit ? `${pane.title} [${pane.unit}]` : pane.title });
    this.canvas = added(box, "canvas", {});
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${pane.title} over time of ${pane.names.join(", ")}`);
    this.entries = pane.names.map((_, k) => {
      const item = added(this.legend || (this.legend = added(box, "ul", { className: "legend" })), "li", {});
      return { mark: added(item, "i", {}), text: item.appendChild(document.createTextNode("")), k };
    });
    const seek = (event) => event.buttons && moved(this.timeAt(event));
    this.canvas.addEventListener("pointerdown", (event) => { this.canvas.setPointerCapture(event.pointerId); seek(event); });
    this.canvas.addEventListener("pointermove", seek);
    this.range = columnRange(columns);
  }

  timeAt(event) {
    const { left, width } = this.canvas.getBoundingClientRect();
    const share = (event.clientX - left - MARGIN) / (width - MARGIN - 6), [first, last] = [this.times[0], this.times[this.times.length - 1]];
    return Math.min(Math.max(first + share * (last - first), first), last);
  }

  /** Draw the curves, which change with size and theme only; `draw` adds the cursor. */
  paint(theme) {
    const ratio = window.devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width) return;
    this.picture = document.createElement("canvas");
    for (const canvas of [this.canvas, this.picture]) [canvas.width, canvas.height] = [width * ratio, height * ratio];
    const style = getComputedStyle(document.documentElement), pen = this.picture.getContext("2d");
    pen.scale(ratio, ratio);
    this.scale(width, height);
    this.paintAxis(pen, width, height, style);
    this.columns.forEach((column, k) => this.paintCurve(pen, column, CURVES[theme][k % 8]));
    this.entries.forEach(({ mark, k }) => (mark.style.background = CURVES[theme][k % 8]));
    this.painted = `${width} ${height} ${theme}`;
    this.ink = style.getPropertyValue("--text");
  }

  scale(width, height) {
    const [first, last] = [this.times[0], this.times[this.times.length - 1]], [low, high] = this.range;
    this.x = (t) => MARGIN + ((width - MARGIN - 6) * (t - first)) / (last - first || 1);
    this.y = (value) => height - FOOT - ((height - FOOT - 8) * (value - low)) / (high - low);
    this.pixels = width - MARGIN - 6;
  }

  paintAxis(pen, width, height, style) {
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const value of ticks(...this.range)) {
      pen.strokeStyle = style.getPropertyValue("--line");
      pen.fillStyle = style.getPropertyValue("--quiet");
      pen.beginPath();
      pen.moveTo(MARGIN, this.y(value));
      pen.lineTo(width - 6, this.y(value));
      pen.stroke();
      pen.fillText(shortNumber(value), MARGIN - 6, this.y(value));
    }
    pen.textAlign = "center";
    for (const t of ticks(this.times[0], this.times[this.times.length - 1])) pen.fillText(shortNumber(t), this.x(t), height - 7);
  }

  /** One curve: each column of pixels gets the range of its samples, so that no peak is lost. */
  paintCurve(pen, column, colour) {
    pen.strokeStyle = colour;
    pen.lineWidth = 1.4;
    pen.lineJoin = "round";
    pen.beginPath();
    const n = column.length, each = Math.max(1, Math.floor(n / (2 * this.pixels)));
    let isDown = false;
    const to = (k) => {
      if (Number.isNaN(column[k])) return void (isDown = false);
      pen[isDown ? "lineTo" : "moveTo"](this.x(this.times[k]), this.y(column[k]));
      isDown = true;
    };
    for (let first = 0; first < n; first += each) {
      let low = first, high = first;
      for (let k = first; k < Math.min(first + each, n); k++) {
        if (!(column[k] >= column[low])) low = k;
        if (!(column[k] <= column[high])) high = k;
      }
      to(Math.min(low, high));
      if (low !== high) to(Math.max(low, high));
    }
    pen.stroke();
  }

  draw(t, theme) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width) return;
    if (this.painted !== `${width} ${height} ${theme}`) this.paint(theme);
    const pen = this.canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.picture, 0, 0);
    pen.scale(this.canvas.width / width, this.canvas.height / height);
    pen.strokeStyle = this.ink;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(this.x(t), 4);
    pen.lineTo(this.x(t), height - FOOT);
    pen.stroke();
    this.entries.forEach(({ text, k }) => (text.data = `${this.pane.names[k]} ${shownNumber(valueAt(this.times, this.columns[k], t), this.range)}`));
  }
}

function columnRange(columns) {
  let low = Infinity, high = -Infinity;
  for (const column of columns)
    for (const value of column) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  if (!(low <= high)) return [-1, 1];
  const room = 0.06 * (high - low) || 0.5 * Math.abs(high) || 1;
  return [low - room, high + room];
}

/** Round values between two, three to six of them; one for two equal values. */
function ticks(low, high) {
  if (!(high > low)) return [low];
  const rough = (high - low) / 6, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((size) => size >= rough), found = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) found.push(k * step);
  return found;
}

/** A number for an axis. */
function shortNumber(value) {
  return String(Number(value.toPrecision(4))).replace("-", "−");
}

/** A number with the same decimals at all times: a ten thousandth of the range of its plot. */
function shownNumber(value, [low, high]) {
  const decimals = Math.round(4 - Math.log10(high - low));
  return !(Math.abs(value) >= 1e6) ? fixed(value, Math.min(Math.max(decimals, 0), 12)) : shortNumber(value);
}

/** Add an element to another, with properties. */
function added(parent, name, properties) {
  return parent.appendChild(Object.assign(document.createElement(name), properties));
}
