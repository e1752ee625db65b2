// Poses of the bodies. Matrices are Float64Array of 16 numbers, row after row, and map coordinates of the second frame in a name
// such as X_WB to those of the first.

"use strict";

function identity() {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
}

/** The matrix product A B. */
function product(A, B) {
  const C = new Float64Array(16);
  for (let i = 0; i < 4; i++)
    for (let j = 0; j < 4; j++)
      C[4 * i + j] = A[4 * i] * B[j] + A[4 * i + 1] * B[4 + j] + A[4 * i + 2] * B[8 + j] + A[4 * i + 3] * B[12 + j];
  return C;
}

/** Motion of a joint by x about or along its z axis. */
function jointMotion(isPrismatic, x) {
  const X = identity();
  if (isPrismatic) {
    X[11] = x;
  } else {
    X[0] = X[5] = Math.cos(x);
    X[4] = Math.sin(x);
    X[1] = -X[4];
  }
  return X;
}

/** Poses of the slots at q: the world first, then each body of the arm. */
function bodyPoses(arm, q) {
  const poses = [identity()];
  for (const body of arm.bodies) {
    const x = body.multiplier * q[body.joint] + body.offset;
    poses.push(product(product(poses[body.parent + 1], body.X_PJ), jointMotion(body.prismatic, x)));
  }
  return poses;
}

/** Jacobian of the tool at q in world axes: one column per joint with linear velocity before angular velocity. */
function toolJacobian(arm, q, poses) {
  const tool = product(poses[arm.tool.body + 1], arm.tool.X_BF);
  const columns = q.map(() => [0, 0, 0, 0, 0, 0]);
  for (let b = arm.tool.body; b >= 0; b = arm.bodies[b].parent) {
    const X = poses[b + 1], body = arm.bodies[b], z = [X[2], X[6], X[10]];
    const r = [tool[3] - X[3], tool[7] - X[7], tool[11] - X[11]];
    const twist = body.prismatic ? [...z, 0, 0, 0] : [...cross(z, r), ...z];
    twist.forEach((part, row) => (columns[body.joint][row] += body.multiplier * part));
  }
  return columns;
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Condition number of the task Jacobian, its rotations multiplied by the characteristic length; Infinity if it is singular. */
function conditionNumber(arm, q, poses) {
  const moved = new Set();
  for (let b = arm.tool.body; b >= 0; b = arm.bodies[b].parent) moved.add(arm.bodies[b].joint);
  const columns = toolJacobian(arm, q, poses).filter((_, joint) => moved.has(joint));
  const A = columns.map((column) => arm.rows.map((row) => column[row] * (row >= 3 ? arm.length : 1)));
  const sigma = singularValues(A.length && A.length < arm.rows.length ? transposed(A) : A);
  const largest = Math.max(...sigma), smallest = Math.min(...sigma);
  return smallest > 1e-9 * Math.max(largest, arm.length) ? largest / smallest : Infinity;
}

function transposed(A) {
  return A[0].map((_, k) => A.map((row) => row[k]));
}

/** Singular values of a matrix whose rows are vectors, at least as many as they are long: one-sided Jacobi rotations. */
function singularValues(rows) {
  const columns = transposed(rows);
  for (let sweep = 0; sweep < 30; sweep++) {
    let turned = false;
    for (let i = 0; i < columns.length; i++)
      for (let j = i + 1; j < columns.length; j++) {
        const a = columns[i], b = columns[j], ab = dot(a, b), aa = dot(a, a), bb = dot(b, b);
        if (Math.abs(ab) <= 1e-15 * Math.sqrt(aa * bb)) continue;
        turned = true;
        const zeta = (bb - aa) / (2 * ab), t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.hypot(1, zeta));
        const c = 1 / Math.hypot(1, t), s = c * t;
        columns[i] = a.map((x, k) => c * x - s * b[k]);
        columns[j] = a.map((x, k) => s * x + c * b[k]);
      }
    if (!turned) break;
  }
  return columns.map((column) => Math.sqrt(dot(column, column)));
}

function dot(a, b) {
  return a.reduce((sum, x, k) => sum + x * b[k], 0);
}
