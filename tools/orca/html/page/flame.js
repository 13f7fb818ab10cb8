/* The flame graph of one recording. The width of a box is its time. */

const flame = {
  ...flameChart,
  key: "flame", label: "Flame graph",
  hints: [["click, Enter", "zoom in"], ["Esc, Home", "zoom out, show everything"], ["arrows", "from frame to frame"],
    ["/", "search"]],
  value: "cpu", thread: -1, part: null, pattern: null,

  build() {
    const threads = make("select", {ariaLabel: "Thread", onchange: () => this.setThread(Number(threads.value))},
      make("option", {value: -1}, "all threads"),
      threadChoice().map((t) => make("option", {value: t}, threadName(t))));
    this.threads = threads;
    this.search = make("input", {type: "search", placeholder: "search (/)", ariaLabel: "Search frames",
      spellcheck: false, oninput: () => this.setPattern(this.search.value)});
    this.matches = make("output", {ariaLive: "polite"});
    this.partBox = make("span.part");
    this.values_ = segments("Value", this.values, this.value, (key) => this.setValue(key));
    this.buildChart();
    this.legend_ = make("div.legend");
    return make("div.fill", {}, make("div.tools", {},
      this.values_, threads, this.partBox, this.search, this.matches, copyButtons(this)),
      this.legend_, this.path, this.box);
  },

  opened() { if (this.tree === undefined) this.rebuild(); this.box.focus({preventScroll: true}); },

  /* --- the address --------------------------------------------------------------- */

  state() {
    const path = [];
    for (let n = this.zoomed; n !== null && n.parent !== null; n = n.parent) path.unshift(n.method);
    return {value: this.value === "cpu" ? "" : this.value, thread: this.thread < 0 ? "" : threadKey(this.thread),
      from: this.part === null ? "" : this.partTimes.begin, to: this.part === null ? "" : this.partTimes.end,
      find: this.search.value, zoom: path.join(".")};
  },

  restore({value = "cpu", thread = "", from = "0", to = String(data.length), find = "", zoom = ""}) {
    this.value = this.values.some(([key]) => key === value) ? value : "cpu";
    this.values_.choose(this.value);
    this.thread = threadOfKey(thread);
    this.threads.value = this.thread;
    this.setPart(Number(from), Number(to));
    this.find(find);
    let node = this.tree.root;
    for (const method of zoom === "" ? [] : zoom.split("."))
      node = node.ordered.find((child) => child.method === Number(method)) ?? node;
    this.zoom(node);
  },

  /* --- choice of data ------------------------------------------------------------ */

  setValue(key) { this.value = key; this.rebuild(); },

  /* Shows only a part of the recording, in whole slices. */
  setPart(begin, end) {
    const {step} = data.slices, whole = begin <= 0 && end >= data.length;
    this.part = whole || data.slices.rows.num === 0 ? null
      : {first: Math.floor(begin / step), last: Math.max(Math.floor(begin / step), Math.ceil(end / step) - 1)};
    this.rebuild();
  },

  get partTimes() {
    const {step} = data.slices;
    return {begin: this.part.first * step, end: Math.min(data.length, (this.part.last + 1) * step)};
  },

  showPart() {
    if (this.part === null) { this.partBox.replaceChildren(); return; }
    const {begin, end} = this.partTimes;
    this.partBox.replaceChildren(
      make("span", {title: "In whole slices of time. CPU time that no sample covers is in no slice."},
        `${moment(begin, end - begin)} to ${moment(end, end - begin)}`),
      make("button.quiet", {type: "button", title: "The whole recording", ariaLabel: "The whole recording",
        onclick: () => this.setPart(0, data.length)}, "×"));
  },

  showLegend() {
    const parts = [[`flame-${this.value}-0`, "code of the program", "A shade for each class"],
      ["flame-platform-0", "JDK and JVM", "Code of java.*, javax.*, jdk.* and sun.*, native code and the JVM"],
      ["match", "found", "What the search finds"]];
    this.legend_.replaceChildren(...parts.filter(([color]) => color !== "match" || this.pattern !== null)
      .map(([color, text, title]) => make("span", {title}, make("i", {style: `background:var(--${color})`}), text)));
  },
  setThread(thread) { this.thread = thread; this.threads.value = thread; this.rebuild(); },

  rebuild() {
    this.tree = new FlameTree(this.value, this.thread, this.part);
    this.selected = this.hovered = null;
    this.showPart();
    this.zoom(this.tree.root);
    this.applyPattern();
  },

  /* "Blocked time, until the lock was acquired" */
  title() {
    const [, , meaning] = this.values.find(([key]) => key === this.value);
    return meaning.charAt(0).toUpperCase() + meaning.slice(1);
  },

  /* Collapsed stacks, as flamegraph.pl reads them: of what is in sight. */
  table() {
    const rows = [], add = (node, path) => {
      const own = node.parent === null ? path : [...path, nodeName(node)];
      if (node.self > 0) rows.push([own.join(";"), node.self]);
      for (const child of node.ordered) add(child, own);
    };
    const path = [];
    for (let n = this.zoomed.parent; n !== null && n.parent !== null; n = n.parent) path.unshift(nodeName(n));
    add(this.zoomed, path);
    return {head: ["stack", "time"], rows: rows.map(([stack, ns]) => [stack, time(ns)]),
      exact: {head: ["stack", "ns"], rows}};
  },

  findMethod(method) { this.find(`^${literally(methodFullName(method))}$`); },

  find(text) { this.search.value = text; this.setPattern(text); },

  setPattern(text) {
    this.pattern = text === "" ? null : asPattern(text);
    this.applyPattern();
  },

  applyPattern() {
    if (this.tree === undefined) return;
    const matched = this.tree.search(this.pattern);
    this.matched = matched;
    this.showMatches();
    this.showLegend();
    app.note();
    this.surface.repaint();
  },

  /* How much is found: of all, and of what is in sight. */
  showMatches() {
    if (this.pattern === null) { this.matches.textContent = ""; return; }
    const all = this.tree.root.total, inSight = this.tree.matchedIn(this.zoomed);
    const part = this.zoomed === this.tree.root ? "" :
      `; ${share(inSight, this.zoomed.total)}, ${time(inSight)} in sight`;
    this.matches.textContent = `matched ${share(this.matched, all)}, ${time(this.matched)}${part}`;
  },

  /* --- what the chart shows of a frame ------------------------------------------------ */

  nameOf(node) { return nodeName(node); },

  fullNameOf(node) { return node.method < 0 ? nodeName(node) : methodFullName(node.method); },

  wholeText() { return `all: ${time(this.tree.root.total)}`; },

  pathText() { return `${this.title()}: ${time(this.tree.root.total)}`; },

  onzoom() { if (this.matched !== undefined) this.showMatches(); },

  /* Code of the program has the color of the value, in a shade for each class. Code of the JDK is grey. */
  colorOf(node) {
    if (node.match) return theme.color("match");
    if (node.method < 0) return theme.color("flame-platform");
    const {className} = data.methods[node.method];
    let hash = 0;
    for (let i = 0; i < className.length; i++) hash = (hash * 31 + className.charCodeAt(i)) >>> 0;
    const kind = isPlatform(node.method) ? "platform" : this.value;
    return theme.color(`flame-${kind}-${hash % 3}`);
  },

  details(node) {
    const whole = this.tree.root.total;
    const rows = [["total", `${time(node.total)}, ${share(node.total, whole)}`],
      ["self", `${time(node.self)}, ${share(node.self, whole)}`]];
    if (this.zoomed !== this.tree.root && node.depth > this.zoomed.depth)
      rows.push(["of the zoomed frame", share(node.total, this.zoomed.total)]);
    const lines = [...node.lines].sort(([, a], [, b]) => b - a).slice(0, 4);
    for (const [line, ns] of lines) {
      const source = node.method < 0 ? "" : sourceOf(node.method, line);
      if (source !== "") rows.push([source, share(ns, node.total)]);
    }
    return rows;
  },
};
