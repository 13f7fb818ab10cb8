/* The tree of a flame graph. Frames of the same method with the same parent are one node, even if their
   lines differ. */

/* The nodes of all stacks, by number. 0 is the root; 1 is the time without a stack, 2 that of stacks that the page
   leaves out. A parent comes before its children. */
const flameNodes = (() => {
  const most = data.frames.num + 3, ids = new Map();
  const nodes = {num: 3, parent: new Int32Array(most), method: new Int32Array(most), depth: new Uint16Array(most),
    firstChild: new Int32Array(most), nextChild: new Int32Array(most), ofFrame: new Int32Array(data.frames.num + 1)};
  nodes.method.set([-1, -1, -2]);
  nodes.depth.set([0, 1, 1]);
  for (let frame = 1; frame <= data.frames.num; frame++) {
    const parent = nodes.ofFrame[frameParent(frame)], method = frameMethod(frame);
    const key = parent * data.methods.length + method;
    let id = ids.get(key);
    if (id === undefined) {
      ids.set(key, id = nodes.num++);
      nodes.parent[id] = parent;
      nodes.method[id] = method;
      nodes.depth[id] = nodes.depth[parent] + 1;
    }
    nodes.ofFrame[frame] = id;
  }
  for (let id = 1; id < nodes.num; id++) {
    nodes.nextChild[id] = nodes.firstChild[nodes.parent[id]];
    nodes.firstChild[nodes.parent[id]] = id;
  }
  return nodes;
})();

/* A node with the times of one tree. Only nodes that are drawn or selected become objects. */
class FlameNode {
  constructor(tree, id, parent) {
    this.tree = tree;
    this.id = id;
    this.parent = parent;
    this.method = flameNodes.method[id];
    this.depth = flameNodes.depth[id];
    this.self = tree.selfs[id];
    this.total = tree.totals[id];
    this.height = tree.heights[id];
  }

  get match() { return this.tree.matches[this.id] === 1; }

  /* The children, sorted by time, then by method, so the picture is always the same. */
  get ordered() {
    if (this.children === undefined) {
      this.children = [];
      for (let id = flameNodes.firstChild[this.id]; id > 0; id = flameNodes.nextChild[id])
        if (this.tree.totals[id] > 0) this.children.push(new FlameNode(this.tree, id, this));
      this.children.sort((a, b) => b.total - a.total || a.method - b.method);
    }
    return this.children;
  }

  /* The time of each line. */
  get lines() {
    const lines = new Map(), {ofFrame} = flameNodes, times = this.tree.frameTimes;
    for (let frame = 1; frame < ofFrame.length; frame++)
      if (ofFrame[frame] === this.id && times[frame] > 0)
        lines.set(frameLine(frame), (lines.get(frameLine(frame)) ?? 0) + times[frame]);
    return lines;
  }
}

class FlameTree {
  /* `value`: "cpu", "wall", "blocked" or "waits". `thread` -1: all threads. `part`: {first, last} slices; null: the
     whole recording. */
  constructor(value, thread, part = null) {
    const {rows, left} = part === null ? data.profile : {rows: data.slices.rows, left: null};
    const times = rows[value], {num, parent, ofFrame} = flameNodes, slices = data.slices.number;
    this.frameTimes = new Float64Array(data.frames.num + 1); /* with callees */
    this.selfs = new Float64Array(num);
    for (let i = 0; i < rows.num; i++) {
      if (times[i] === 0 || (thread >= 0 && rows.thread[i] !== thread)) continue;
      if (part !== null && (slices[i] < part.first || slices[i] > part.last)) continue;
      const frame = rows.frame[i];
      this.frameTimes[frame] += times[i];
      this.selfs[frame === 0 ? 1 : ofFrame[frame]] += times[i];
    }
    if (thread < 0 && left !== null) this.selfs[2] = left[value];
    for (let frame = data.frames.num; frame > 0; frame--)
      this.frameTimes[frameParent(frame)] += this.frameTimes[frame];
    this.totals = this.selfs.slice();
    this.heights = new Uint16Array(num).fill(1);
    for (let id = num - 1; id > 0; id--) {
      if (this.totals[id] === 0) continue;
      this.totals[parent[id]] += this.totals[id];
      this.heights[parent[id]] = Math.max(this.heights[parent[id]], this.heights[id] + 1);
    }
    this.matches = new Uint8Array(num);
    this.root = new FlameNode(this, 0, null);
  }

  /* The methods with time, callees included. */
  get timedMethods() {
    const found = new Set();
    for (let id = 3; id < flameNodes.num; id++) if (this.totals[id] > 0) found.add(flameNodes.method[id]);
    return found;
  }

  /* The self time of each method, [[method, time]]. Time outside Java counts for the method that called it. */
  methods() {
    const {num, parent, method} = flameNodes, times = new Map();
    for (let id = 3; id < num; id++) {
      if (this.selfs[id] === 0) continue;
      const outer = method[parent[id]], own = isOutsideJava(method[id]) && outer >= 0 ? outer : method[id];
      times.set(own, (times.get(own) ?? 0) + this.selfs[id]);
    }
    return [...times];
  }

  /* Calls f(node, method) for the nodes with time that no frame of their own method has called. */
  visitOutermost(f) {
    const {num, parent, method} = flameNodes;
    for (let id = 3; id < num; id++) {
      if (this.totals[id] === 0) continue;
      let outer = parent[id];
      while (outer > 0 && method[outer] !== method[id]) outer = parent[outer];
      if (outer === 0) f(id, method[id]);
    }
  }

  /* Marks the nodes whose name matches. Returns their time; nested matches count once. */
  search(pattern) {
    const {num, parent, method} = flameNodes, matching = new Uint8Array(data.methods.length);
    if (pattern !== null)
      for (let i = 0; i < matching.length; i++) matching[i] = pattern.test(methodFullName(i)) ? 1 : 0;
    this.inside = new Uint8Array(num); /* is, or is called by a match */
    for (let id = 3; id < num; id++) {
      this.matches[id] = matching[method[id]];
      this.inside[id] = this.inside[parent[id]] | this.matches[id];
    }
    return this.matchedIn(this.root);
  }

  /* The time of the matches below a node, which is a part of a match too if it is called by one. */
  matchedIn(node) {
    if (this.inside[node.id] === 1) return node.total;
    const {num, parent} = flameNodes, below = new Uint8Array(num);
    let matched = 0;
    below[node.id] = 1;
    for (let id = Math.max(3, node.id + 1); id < num; id++) {
      below[id] = below[parent[id]];
      if (below[id] === 1 && this.matches[id] === 1 && this.inside[parent[id]] === 0) matched += this.totals[id];
    }
    return matched;
  }
}

function nodeName(node) {
  if (node.parent === null) return "all";
  if (node.method === -2) return "(stacks left out)";
  return node.method < 0 ? "(no stack)" : methodName(node.method);
}
