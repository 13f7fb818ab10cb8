/* A flame graph: callers above their callees. flame.js and compared_flame.js make views of it: they have `tree`, whose
   root and whose frames have `parent`, `ordered` (the callees), `depth`, `height`, `total` (the width) and `match`;
   nameOf, fullNameOf, colorOf and details of a frame; wholeText and pathText of the root; and onzoom. */

const FLAME_ROW = 20;

/* Text that is not a valid regular expression is searched literally. */
function asPattern(text) {
  try { return new RegExp(text, "i"); }
  catch { return new RegExp(literally(text), "i"); }
}

const flameChart = {
  zoomed: null, selected: null, hovered: null, boxes: [],

  values: [["cpu", "CPU", "CPU time, by the samples"], ["wall", "Wall", "elapsed time, by the samples"],
    ["blocked", "Blocked", "blocked time, until the lock was acquired"],
    ["waits", "Waits", "time in waits, parks, sleeps, joins"]],

  buildChart() {
    this.path = make("div.path");
    this.box = make("div.surface.scroll", {tabIndex: 0, ariaLabel: this.label});
    this.space = make("div.space");
    this.box.append(this.space);
    this.surface = new Surface(this.space, () => this.paint());
    this.listen();
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

  zoom(node) {
    this.zoomed = node;
    this.onzoom();
    app.note();
    tooltip.hide();
    const path = [];
    for (let n = node; n !== null; n = n.parent) path.unshift(n);
    this.path.replaceChildren(...path.map((n, i) => make("button.quiet", {type: "button", onclick: () => this.zoom(n)},
      i === 0 ? this.pathText() : this.nameOf(n))));
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
    context.globalAlpha = this.alphaOf(node);
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
    const name = this.fitted(node === this.tree.root ? this.wholeText() : this.nameOf(node), width - 10);
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

  /* The callers of the zoomed frame are paler. */
  alphaOf(node) { return node.depth < this.zoomed.depth ? 0.45 : 1; },

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
    else tooltip.show(event, this.fullNameOf(node), this.details(node));
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
      this.fullNameOf(node), this.details(node));
  },
};
