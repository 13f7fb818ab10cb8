/* The differential flame graph: the stacks of both recordings as one tree. The width of a box is the mean of both
   recordings, so that what is gone and what is new are in the picture. The color is the change. */

/* A frame with the times of both recordings, each divided by the length or by the whole time of its recording. */
class ComparedNode {
  constructor(tree, id, parent) {
    const {nodes} = comparison.stacks;
    this.tree = tree;
    this.id = id;
    this.parent = parent;
    this.method = id > 0 ? nodes.method[id] : -1;
    this.depth = parent === null ? 0 : parent.depth + 1;
    this.a = nodes[`${tree.value}A`][id] / tree.wholes[0];
    this.b = nodes[`${tree.value}B`][id] / tree.wholes[1];
    this.total = (this.a + this.b) / 2;
    this.height = tree.heights[id];
    const verdicts = nodes[`${tree.value}Verdicts`][id], num = VERDICTS.length;
    this.verdict = VERDICTS[tree.norm === "length" ? verdicts % num : Math.floor(verdicts / num)];
  }

  /* A match keeps its color, and other frames are paler: the color shows the change. */
  get match() { return false; }

  get ordered() {
    this.children ??= this.tree.childrenOf[this.id].map((id) => new ComparedNode(this.tree, id, this))
      .filter(({total}) => total > 0).sort((x, y) => y.total - x.total || x.id - y.id);
    return this.children;
  }
}

class ComparedTree {
  /* `norm`: "length": times are per second of recording; "total": shares of all time of this value. */
  constructor(value, norm) {
    const {nodes} = comparison.stacks, times = [nodes[`${value}A`], nodes[`${value}B`]];
    this.value = value;
    this.norm = norm;
    this.wholes = times.map((of, side) => (norm === "length" ? comparedLength(side) / 1e9 : of[0]) || Infinity);
    this.childrenOf = Array.from({length: nodes.num}, () => []);
    this.heights = new Uint16Array(nodes.num).fill(1);
    for (let id = nodes.num - 1; id > 0; id--) {
      if (times[0][id] + times[1][id] === 0) continue;
      const parent = nodes.parent[id];
      this.childrenOf[parent].push(id);
      this.heights[parent] = Math.max(this.heights[parent], this.heights[id] + 1);
    }
    this.root = new ComparedNode(this, 0, null);
  }
}

const comparedFlame = {
  ...flameChart,
  key: "stacks", label: "Stacks",
  hints: [["click, Enter", "zoom in"], ["Esc, Home", "zoom out, show everything"], ["arrows", "from frame to frame"],
    ["/", "search"]],
  value: "cpu", norm: "length", pattern: null,

  norms: [["length", "per second", "Time in each second of the recording: for the same length"],
    ["total", "as a share", "Share of all time of this kind: for example, for the same CPU time"]],

  build() {
    this.search = make("input", {type: "search", placeholder: "search (/)", ariaLabel: "Search frames",
      spellcheck: false, oninput: () => this.setPattern(this.search.value)});
    this.values_ = segments("Value", this.values, this.value, (key) => this.choose(key, this.norm));
    this.norms_ = segments("Normalised", this.norms, this.norm, (key) => this.choose(this.value, key));
    this.buildChart();
    this.legend_ = make("div.legend");
    return make("div.fill", {}, make("div.tools", {}, this.values_, this.norms_, this.search, copyButtons(this)),
      this.legend_, this.caution(), this.path, this.box);
  },

  caution() {
    const said = [...comparison.not_comparable];
    if (comparison.stacks.left) said.push("Frames with very little time are left out.");
    return said.length === 0 ? null : make("p.note", {}, said.join(" "));
  },

  opened() {
    if (this.tree === undefined) this.choose(this.value, this.norm);
    this.box.focus({preventScroll: true});
  },

  choose(value, norm) {
    this.value = value;
    this.norm = norm;
    this.values_.choose(value);
    this.norms_.choose(norm);
    this.tree = new ComparedTree(value, norm);
    this.selected = this.hovered = null;
    this.showLegend();
    this.zoom(this.tree.root);
  },

  showLegend() {
    const {value} = this, noun = {cpu: "CPU time", wall: "elapsed time", blocked: "blocked time",
      waits: "time in waits"}[value];
    const parts = [["more-2", "more in B"], ["less-2", "less in B"], ["same", verdictWords.same]];
    const width = this.norm === "length"
      ? `Both for the same length: ${noun} in each second of the recording.`
      : `Both for the same ${noun}: each frame’s share of it.`;
    this.legend_.replaceChildren(
      ...parts.map(([color, text]) => make("span", {}, make("i", {style: `background:var(--${color})`}), text)),
      make("span", {title: "So frames that are only in A or only in B have a width too"},
        `${width} Width: the mean of A and B.`));
  },

  /* --- the address --------------------------------------------------------------- */

  state() {
    const path = [];
    for (let n = this.zoomed; n.parent !== null; n = n.parent) path.unshift(n.id);
    return {value: this.value === "cpu" ? "" : this.value, norm: this.norm === "length" ? "" : this.norm,
      find: this.search.value, zoom: path.join(".")};
  },

  restore({value = "cpu", norm = "length", find = "", zoom = ""}) {
    const known = (choices, key, other) => choices.some(([one]) => one === key) ? key : other;
    this.choose(known(this.values, value, "cpu"), known(this.norms, norm, "length"));
    this.find(find);
    let node = this.tree.root;
    for (const id of zoom === "" ? [] : zoom.split("."))
      node = node.ordered.find((child) => child.id === Number(id)) ?? node;
    this.zoom(node);
  },

  find(text) {
    this.search.value = text;
    this.setPattern(text);
  },

  setPattern(text) {
    this.pattern = text === "" ? null : asPattern(text);
    this.found = this.pattern === null ? null
      : comparison.stacks.methods.map((method) => this.pattern.test(fullNameOfMethod(method)));
    app.note();
    this.surface.repaint();
  },

  /* --- what the chart shows of a frame ------------------------------------------------ */

  onzoom() { /* nothing else depends on it */ },

  nameOf(node) { return node.parent === null ? "all" : comparison.stacks.methods[node.method].name; },

  fullNameOf(node) {
    return node.parent === null ? "all" : fullNameOfMethod(comparison.stacks.methods[node.method]);
  },

  amount(n) { return this.norm === "length" ? `${time(n)} per second` : share(n, 1); },

  wholeText() {
    const {a, b} = this.tree.root;
    return `all: ${this.amount(a)} in A, ${this.amount(b)} in B`;
  },

  pathText() { return this.wholeText(); },

  colorOf(node) { return theme.color(changeColor(node.a, node.b, node.verdict)); },

  alphaOf(node) {
    if (this.found !== undefined && this.found !== null && !this.found[node.method]) return 0.3;
    return node.depth < this.zoomed.depth ? 0.45 : 1;
  },

  change(node) {
    const by = node.b - node.a;
    if (this.norm === "length") return `${changeOfTime(by)} per second`;
    return `${by < 0 ? "−" : "+"}${(Math.abs(by) * 100).toFixed(1)} percentage points`;
  },

  details(node) {
    const rows = [["A", this.amount(node.a)], ["B", this.amount(node.b)], ["change", this.change(node)],
      [verdictWords[node.verdict]]];
    return node.parent === null ? [...rows, ["Where nothing is below, the stack is not known or left out."]] : rows;
  },

  /* The frames in sight, each with its callers. */
  table() {
    const rows = [], add = (node, path) => {
      const own = node.parent === null ? path : [...path, this.nameOf(node)];
      if (own.length > 0) rows.push([own.join(";"), node.a, node.b, node.verdict]);
      for (const child of node.ordered) add(child, own);
    };
    const path = [];
    for (let n = this.zoomed.parent; n !== null && n.parent !== null; n = n.parent) path.unshift(this.nameOf(n));
    add(this.zoomed, path);
    const head = ["stack, with callees", "A", "B", "verdict"];
    return {head, rows: rows.map(([stack, a, b, verdict]) => [stack, this.amount(a), this.amount(b), verdict]),
      exact: {head: ["stack", this.norm === "length" ? "a_ns_per_s" : "a_share",
        this.norm === "length" ? "b_ns_per_s" : "b_share", "verdict"], rows}};
  },
};
