// Numbers of the page: compressed arrays of bytes, written by page_arrays.py.

"use strict";

/** Bytes of a zlib stream in base64. */
async function inflate(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A typed array of `kind` from a zlib stream in base64. */
async function typedArray(text, kind) {
  return new kind((await inflate(text)).buffer);
}

/**
 * Columns of samples: an array of k Float64Array with `series.samples` values each; NaN for a missing value.
 *
 * A value is low + quantum · (i − 1), where i = 0 marks a missing value. Each column stores the second differences of i, modulo
 * 2³², with the sign in the lowest bit, as four planes of bytes.
 */
async function columnsOf(series) {
  const bytes = await inflate(series.data), n = series.samples;
  return series.low.map((low, column) => {
    const first = 4 * n * column, quantum = series.quantum[column], values = new Float64Array(n);
    let i = 0, difference = 0;
    for (let k = 0; k < n; k++) {
      const at = first + k;
      const coded = bytes[at] | (bytes[at + n] << 8) | (bytes[at + 2 * n] << 16) | (bytes[at + 3 * n] << 24);
      difference = (difference + ((coded >>> 1) ^ -(coded & 1))) | 0;
      i = (i + difference) | 0;
      values[k] = i === 0 ? NaN : low + quantum * (i - 1);
    }
    return values;
  });
}

/** Index k with times[k] ≤ t < times[k + 1], at least 0 and at most the last but one. */
function indexAt(times, t) {
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

/** Value of a column at time t, linear between the samples. */
function valueAt(times, column, t) {
  if (times.length < 2) return column[0];
  const k = indexAt(times, t), span = times[k + 1] - times[k];
  const share = span > 0 ? Math.min(Math.max((t - times[k]) / span, 0), 1) : 0;
  return column[k] + share * (column[k + 1] - column[k]);
}
