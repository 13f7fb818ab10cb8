/* The flame graph: callers above their callees. The width of a box is its time. */

const FLAME_ROW = 20;

const flame = {
  key: "flame", label: "Flame graph",
  hints: [["click, Enter", "zoom in"], ["Esc, Home", "zoom out, show everything"], ["arrows", "from frame to frame"],
    ["/", "search"]],
  value: "cpu", thread: -1, part: null, pattern: null, zoomed: null, selected: null, hovered: null, boxes: [],

  values: [["cpu", "CPU", "CPU time, by the samples"], ["wall", "Wall", "elapsed time, by the samples"],
    ["blocked", "Blocked", "blocked time, until the lock was acquired"],
    ["waits", "Waits", "time in waits, parks, sleeps, joins"]],

  build() {
    const threads = make("select", {ariaLabel: "Thread", onchange: () => this.setThread(Number(threads.value))},
      make("option", {value: -1}, "all threads"),
      threadChoice().map((t) => make("option", {value: t}, threadName(t))));
    this.threads = threads;
    this.search = make("input", {type: "search", placeholder: "search (/)", ariaLabel: "Search frames",
      spellcheck: false, oninput: () => this.setPattern(this.search.value)});
    this.matches = make("output", {ariaLive: "polite"});
    this.partBox = make("span.part");
    this.path = make("div.path");
    this.values_ = segments("Value", this.values, this.value, (key) => this.setValue(key));
    this.box = make("div.surface.scroll", {tabIndex: 0, ariaLabel: "Flame graph"});
    this.space = make("div.space");
    this.box.append(this.space);
    this.surface = new Surface(this.space, () => this.paint());
    this.listen();
    this.legend_ = make("div.legend");
    return make("div.fill", {}, make("div.tools", {},
      this.values_, threads, this.partBox, this.search, this.matches, copyButtons(this)),
      this.legend_, this.path, this.box);
  },

  listen() {
    const {canvas} = this.surface;
    canvas.onmousemove = (event) => this.hover(event);
    canvas.onmouseleave = () => { this.hovered = null; tooltip.hide(); this.surface.repaint(); };
    canvas.onclick = (event) => {
      const node = this.nodeAt(event);
      if (node !== null) { this.selected = node; this.zoom(node); }
    };
    this.box.onkeydown = (event) => this.onkey(event);
    theme.listeners.push(() => this.surface.repaint());
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
  get title() {
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

  findMethod(method) { this.find(`^${methodFullName(method).replace(/[^\w\s]/g, "\\$&")}$`); },

  find(text) { this.search.value = text; this.setPattern(text); },

  /* Searches for a regular expression. Text that is not a valid one is searched literally. */
  setPattern(text) {
    if (text === "") this.pattern = null;
    else try { this.pattern = new RegExp(text, "i"); }
    catch { this.pattern = new RegExp(text.replace(/[^\w\s]/g, "\\$&"), "i"); }
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

  zoom(node) {
    this.zoomed = node;
    if (this.matched !== undefined) this.showMatches();
    app.note();
    tooltip.hide();
    const path = [];
    for (let n = node; n !== null; n = n.parent) path.unshift(n);
    const total = this.tree.root.total;
    this.path.replaceChildren(...path.map((n, i) => make("button.quiet", {type: "button", onclick: () => this.zoom(n)},
      i === 0 ? `${this.title}: ${time(total)}` : nodeName(n))));
    this.space.style.height = `${(node.depth + node.height + 1) * FLAME_ROW}px`;
    this.surface.fit(this.space);
  },

  /* --- drawing ------------------------------------------------------------------- */

  paint() {
    if (this.tree === undefined) return;
    const {context, width, height} = this.surface;
    context.clearRect(0, 0, width, height);
    context.font = "12px " + getComputedStyle(document.body).fontFamily;
    context.textBaseline = "middle";
    this.boxes = [];
    if (this.tree.root.total === 0) {
      context.fillStyle = theme.color("muted");
      context.fillText("The recording contains nothing of this kind.", 12, 24);
      return;
    }
    for (let n = this.zoomed.parent; n !== null; n = n.parent) this.paintBox(n, 0, width);
    this.paintTree(this.zoomed, 0, width);
  },

  paintTree(node, x, width) {
    if (width < 0.4) return;
    this.paintBox(node, x, width);
    let at = x;
    for (const child of node.ordered) {
      const share_ = width * child.total / node.total;
      this.paintTree(child, at, share_);
      at += share_;
    }
  },

  paintBox(node, x, width) {
    const {context} = this.surface, y = node.depth * FLAME_ROW, inner = Math.max(0.4, width - (width > 3 ? 1 : 0));
    this.boxes.push({node, x, y, width});
    context.fillStyle = this.colorOf(node);
    context.globalAlpha = node.depth < this.zoomed.depth ? 0.45 : 1;
    context.fillRect(x, y, inner, FLAME_ROW - 1);
    if (node === this.selected || node === this.hovered) {
      context.strokeStyle = theme.color("text");
      context.lineWidth = 1.5;
      context.strokeRect(x + 0.75, y + 0.75, Math.max(1, inner - 1.5), FLAME_ROW - 2.5);
    }
    if (width > 30) this.paintName(node, x, y, inner);
    context.globalAlpha = 1;
  },

  paintName(node, x, y, width) {
    const {context} = this.surface;
    context.fillStyle = theme.color(node.match ? "on-match" : "on-flame");
    const name = this.fitted(node === this.tree.root ? `all: ${time(node.total)}` : nodeName(node), width - 10);
    if (name !== "") context.fillText(name, x + 5, y + FLAME_ROW / 2);
  },

  /* The name, shortened to fit: first without its class, then cut at the end. */
  fitted(name, room) {
    const {context} = this.surface, fits = (text) => context.measureText(text).width <= room;
    if (fits(name)) return name;
    const short = name.slice(name.lastIndexOf(".") + 1);
    if (fits(short)) return short;
    const letters = Math.floor(room / 6.5) - 1;
    return letters < 2 ? "" : `${short.slice(0, letters)}…`;
  },

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

  /* --- the pointer and the keys ---------------------------------------------------- */

  nodeAt(event) {
    const hit = this.boxes.filter((b) => event.offsetY >= b.y && event.offsetY < b.y + FLAME_ROW - 1 &&
      event.offsetX >= b.x && event.offsetX < b.x + b.width);
    return hit.length === 0 ? null : hit[hit.length - 1].node;
  },

  hover(event) {
    const node = this.nodeAt(event);
    if (node !== this.hovered) { this.hovered = node; this.surface.repaint(); }
    this.surface.canvas.style.cursor = node === null ? "default" : "pointer";
    if (node === null) tooltip.hide();
    else tooltip.show(event, node.method < 0 ? nodeName(node) : methodFullName(node.method), this.details(node));
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

  onkey(event) {
    const node = this.selected ?? this.zoomed, siblings = node.parent?.ordered ?? [node];
    const at = siblings.indexOf(node);
    const moves = {ArrowUp: node.parent, ArrowDown: node.ordered[0],
      ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1]};
    if (event.key === "Enter") this.zoom(node);
    else if (event.key === "Home") { this.selected = null; this.zoom(this.tree.root); }
    else if (event.key === "Escape" && this.zoomed.parent !== null) {
      this.selected = null;
      this.zoom(this.zoomed.parent);
    }
    else if (event.key in moves) this.select(moves[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  },

  select(node) {
    if (node === null || node === undefined) return;
    this.selected = node;
    let inside = node;
    while (inside !== null && inside !== this.zoomed) inside = inside.parent;
    if (inside === null) this.zoom(node);
    this.surface.repaint();
    const box = this.surface.canvas.getBoundingClientRect(), drawn = this.boxes.find((b) => b.node === node);
    if (drawn === undefined) return;
    tooltip.show({clientX: box.left + drawn.x + Math.min(drawn.width, 60), clientY: box.top + drawn.y + FLAME_ROW},
      node.method < 0 ? nodeName(node) : methodFullName(node.method), this.details(node));
  },
};
