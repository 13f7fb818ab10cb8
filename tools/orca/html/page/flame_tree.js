/* The tree of a flame graph. Frames of the same method with the same parent are one node, even if their
   lines differ. */

class FlameTree {
  /* `value`: "cpu", "wall", "blocked" or "waits". `thread` -1: all threads. */
  constructor(value, thread) {
    this.root = FlameTree.node(null, -1);
    this.ofFrame = new Map();
    const {rows, left} = data.profile, times = rows[value];
    for (let i = 0; i < rows.num; i++) {
      if (times[i] > 0 && (thread < 0 || rows.thread[i] === thread)) this.add(rows.frame[i], times[i]);
    }
    if (thread < 0 && left[value] > 0) this.addUnder(this.root, -2, left[value]);
    this.settle(this.root, 0);
  }

  static node(parent, method) {
    return {parent, method, self: 0, total: 0, children: new Map(), lines: new Map(), depth: 0, x: 0};
  }

  static child(parent, method) {
    let node = parent.children.get(method);
    if (node === undefined) parent.children.set(method, node = FlameTree.node(parent, method));
    return node;
  }

  /* The node of a frame. It does not depend on the row. */
  nodeOf(frame) {
    if (frame === 0) return this.root;
    let node = this.ofFrame.get(frame);
    if (node === undefined) {
      node = FlameTree.child(this.nodeOf(frameParent(frame)), frameMethod(frame));
      this.ofFrame.set(frame, node);
    }
    return node;
  }

  add(frame, ns) {
    if (frame === 0) {
      this.addUnder(this.root, -1, ns);
      return;
    }
    this.nodeOf(frame).self += ns;
    for (let f = frame; f > 0; f = frameParent(f)) {
      const node = this.nodeOf(f);
      node.lines.set(frameLine(f), (node.lines.get(frameLine(f)) ?? 0) + ns);
    }
  }

  /* Adds time without a frame. `method` -1: no stack was recorded; -2: the page leaves the stack out. */
  addUnder(parent, method, ns) { FlameTree.child(parent, method).self += ns; }

  /* Computes totals, depths and heights. Sorts children by time, then by method, so the picture is always the same. */
  settle(node, depth) {
    node.depth = depth;
    node.total = node.self;
    node.height = 1;
    for (const child of node.children.values()) {
      this.settle(child, depth + 1);
      node.total += child.total;
      node.height = Math.max(node.height, child.height + 1);
    }
    node.ordered = [...node.children.values()].sort((a, b) => b.total - a.total || a.method - b.method);
  }

  visit(f, node = this.root) {
    f(node);
    for (const child of node.ordered) this.visit(f, child);
  }

  /* Marks the nodes whose name matches. Returns their time; nested matches count once. */
  search(pattern) {
    let matched = 0;
    const mark = (node, inside) => {
      node.match = pattern !== null && node.method >= 0 && pattern.test(methodFullName(node.method));
      if (node.match && !inside) matched += node.total;
      for (const child of node.ordered) mark(child, inside || node.match);
    };
    mark(this.root, false);
    return matched;
  }
}

function nodeName(node) {
  if (node.parent === null) return "all";
  if (node.method === -2) return "(stacks left out)";
  return node.method < 0 ? "(no stack)" : methodName(node.method);
}
