/* The waits-for graph: at the end of the recording, where a ring is a deadlock, and for the whole recording. */

const MOST_NODES = 24;

/* Stands for a thread in an edge: no thread is left that could end the wait. */
const NOBODY = -2;
const waiterName = (thread) => thread === NOBODY ? "nobody" : threadName(thread);

const graph = {
  key: "graph", label: "Who waits for whom", hints: [["click on a thread", "what it waits for"]],
  mode: "end",

  build() {
    const tells = data.graph.open.some((wait) => wait.owners.length > 0 || wait.hangs);
    this.mode = tells || data.graph.run.num === 0 ? "end" : "run";
    this.surface = make("div.card.graph");
    this.list = make("div");
    this.modes = segments("When", [["end", "at the end"], ["run", "in the whole run"]], this.mode,
      (mode) => { this.mode = mode; this.fill(); app.note(); });
    return make("div.graphs", {}, make("div.tools", {}, this.modes, copyButtons(this)), this.surface, this.list);
  },

  opened() { this.fill(); },

  table() {
    const edges = this.mode === "end" ? this.openEdges() : this.run();
    const table = (text) => ({head: ["thread", "waits for", "times", "time"],
      rows: edges.map((edge) => [waiterName(edge.from), waiterName(edge.to), edge.times ?? 1, text(edge.weight)])});
    return {...table(time), exact: table((ns) => ns)};
  },

  state() { return {when: this.mode}; },

  restore({when = this.mode}) {
    this.mode = when === "run" ? "run" : "end";
    this.modes.choose(this.mode);
    this.fill();
  },

  fill() {
    const edges = this.mode === "end" ? this.openEdges() : this.runEdges();
    const drawn = this.merged(edges);
    this.surface.replaceChildren(edges.length > 0 ? this.picture(drawn) : make("p.note", {}, this.mode === "end"
      ? `${this.moment()}, no thread waited for a thread that is known.`
      : "The owners of the locks that threads waited for are not known."));
    this.list.replaceChildren(this.mode === "end" ? this.openList() : this.runList());
  },

  /* --- edges ------------------------------------------------------------------------- */

  openEdges() {
    const needs = ({owners, hangs}) => owners.length === 0 && hangs ? [NOBODY]
      : owners.map(({thread}) => thread).filter((thread) => thread >= 0);
    return data.graph.open.flatMap((wait) => needs(wait).map((thread) => ({
      from: wait.thread, to: thread, weight: data.length - wait.since, bad: wait.ring >= 0 || wait.hangs,
      label: this.openLabel(wait),
    })));
  },

  openLabel(wait) {
    if (wait.className !== undefined) return `initialization of ${withoutPackage(wait.className)}`;
    const group = eventGroup(wait.event);
    return group === "join" ? "joins" : ["monitor", "lock"].includes(group) || wait.owners.length > 0
      ? withoutPackage(objectName(wait.object)) : eventCall(wait.event);
  },

  run() {
    const rows = [], all = data.graph.run;
    for (let i = 0; i < all.num; i++)
      rows.push({from: all.thread[i], to: all.owner[i], times: all.times[i], weight: all.length[i]});
    return rows.filter(({from, to}) => from >= 0 && to >= 0).sort((a, b) => b.weight - a.weight);
  },

  /* Edges below 1 % of the longest are left out, because they would hide the others. */
  runEdges() {
    const all = this.run(), least = all.length === 0 ? 0 : all[0].weight / 100;
    return all.filter(({weight}) => weight >= least).map((edge) => ({...edge, bad: false, label: time(edge.weight)}));
  },

  /* Merges threads whose names differ only in numbers, if there are many: worker-1 and worker-2 are worker-#. */
  merged(edges) {
    const names = new Set(edges.flatMap(({from, to}) => [from, to]));
    const merge = names.size > MOST_NODES, sizes = new Map();
    const nameOf = (thread) => merge ? waiterName(thread).replace(/\d+/g, "#") : `${thread} ${waiterName(thread)}`;
    for (const thread of names) sizes.set(nameOf(thread), (sizes.get(nameOf(thread)) ?? 0) + 1);
    const nodes = new Map(), lines = new Map();
    const node = (thread) => {
      const key = nameOf(thread),
        text = merge && sizes.get(key) > 1 ? `${key} (${sizes.get(key)})` : waiterName(thread);
      if (!nodes.has(key))
        nodes.set(key, {key, thread, text: text.length > 28 ? `${text.slice(0, 27)}…` : text, bad: false});
      return nodes.get(key);
    };
    for (const edge of edges) {
      const from = node(edge.from), to = node(edge.to), key = `${from.key}\n${to.key}`;
      const line = lines.get(key) ?? {from, to, weight: 0, bad: false, label: edge.label, num: 0};
      line.weight += edge.weight;
      line.bad ||= edge.bad;
      line.num++;
      if (this.mode === "run") line.label = time(line.weight);
      else if (line.num > 1) line.label = `${line.num} waits`;
      from.bad ||= edge.bad;
      lines.set(key, line);
    }
    return {nodes: [...nodes.values()], edges: [...lines.values()]};
  },

  /* --- the picture --------------------------------------------------------------------- */

  picture({nodes, edges}) {
    const width = Math.max(480, this.surface.clientWidth - 24),
      height = Math.max(190, Math.min(560, 170 + nodes.length * 32));
    for (const node of nodes) node.width = 24 + node.text.length * 7.4;
    layOut(nodes, edges, width, height);
    this.middle = {x: width / 2, y: height / 2};
    for (const edge of edges) edge.twoWay = edges.some((other) => other.from === edge.to && other.to === edge.from);
    const most = Math.max(...edges.map((edge) => edge.weight), 1);
    const svg = draw("svg",
      {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": "Who waits for whom"},
      draw("defs", {}, this.arrowHead("head", "muted"), this.arrowHead("bad-head", "bad")),
      ...edges.map((edge) => this.edge(edge, most)), ...nodes.map((node) => this.node(node)));
    return svg;
  },

  arrowHead(name, color) {
    return draw("marker", {id: `${name}-${side}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
      markerUnits: "userSpaceOnUse", orient: "auto"},
      draw("path", {d: "M0 0L8 4L0 8z", style: `fill:var(--${color})`}));
  },

  edge(edge, most) {
    const {from, to, bad} = edge, self = from === to;
    const a = self ? {x: from.x - 14, y: from.y - 17} : border(from, to),
      b = self ? {x: from.x + 14, y: from.y - 17} : border(to, from);
    const bend = self ? {x: from.x, y: from.y - 62} : this.bend(edge, a, b);
    const path = self ? `M${a.x} ${a.y}C${a.x - 22} ${a.y - 38} ${b.x + 22} ${b.y - 38} ${b.x} ${b.y}`
      : `M${a.x} ${a.y}Q${bend.x} ${bend.y} ${b.x} ${b.y}`;
    const mid = self ? {x: from.x, y: from.y - 50} : {x: (a.x + 2 * bend.x + b.x) / 4, y: (a.y + 2 * bend.y + b.y) / 4};
    const thick = this.mode === "run" ? 1 + 3 * Math.sqrt(edge.weight / most) : bad ? 2 : 1.4;
    return draw("g", {class: bad ? "edge bad" : "edge"},
      draw("path", {d: path, "marker-end": `url(#${bad ? "bad-head" : "head"}-${side})`, "stroke-width": thick}),
      draw("text", {x: mid.x, y: mid.y + 4}, edge.label),
      draw("title", {}, `${from.text} waits for ${to.text}: ${edge.label}`));
  },

  /* The control point of a curved edge. Two edges in opposite directions bend apart, others bend outward. */
  bend({twoWay}, a, b) {
    const outward = (a.x + b.x - this.middle.x * 2) * -(b.y - a.y) +
      (a.y + b.y - this.middle.y * 2) * (b.x - a.x) >= 0 ? 1 : -1;
    const by = twoWay ? 0.2 : 0.14 * outward;
    return {x: (a.x + b.x) / 2 - (b.y - a.y) * by, y: (a.y + b.y) / 2 + (b.x - a.x) * by};
  },

  node(node) {
    const g = draw("g", {class: node.bad ? "node bad" : "node", tabindex: 0},
      draw("rect", {x: node.x - node.width / 2, y: node.y - 15, width: node.width, height: 30, rx: 8}),
      draw("text", {x: node.x, y: node.y + 4}, node.text));
    g.onclick = () => {
      const row = timeline.all.find((r) => r.thread === node.thread);
      if (row !== undefined) timeline.showThread(row);
    };
    return g;
  },

  /* --- lists -------------------------------------------------------------------------- */

  moment: () => data.graph.signal ? "When a signal began to end the program" : "When the recording ended",

  openList() {
    const waits = [...data.graph.open].sort((a, b) =>
      (b.ring >= 0) - (a.ring >= 0) || a.ring - b.ring || b.hangs - a.hangs || a.since - b.since);
    if (waits.length === 0) return make("p.note", {}, `${this.moment()}, no thread waited for another one.`);
    const left = data.graph.openAll - waits.length;
    return make("div.card", {}, make("h2", {}, "Who was still waiting"),
      make("ul.waits", {}, waits.map((wait) => this.openItem(wait))),
      left > 0 ? make("p.note", {}, `And ${count(left)} more.`) : null);
  },

  /* What a thread does that waits, before the name of the object. */
  openVerb(wait) {
    if (wait.className !== undefined) return ` waits until another thread has initialized ${wait.className}`;
    const words = {join: " joins ", monitor: " is blocked on ", lock: " waits for "}[eventGroup(wait.event)];
    return words !== undefined ? words : ` waits in ${eventCall(wait.event)}${wait.object >= 0 ? " on " : ""}`;
  },

  openItem(wait) {
    const owners = wait.owners.map(({thread, frame}) =>
      threadName(thread) + (frame > 0 ? `, which acquired it at ${placeText(frame)}` : ""));
    const isLock = ["monitor", "lock"].includes(eventGroup(wait.event));
    return make(wait.ring >= 0 || wait.hangs ? "li.bad" : "li", {},
      wait.ring >= 0 ? make("b", {}, `Deadlock ${wait.ring + 1}: `) : wait.hangs ? make("b", {}, "Hangs: ") : null,
      make("b", {}, threadName(wait.thread)), this.openVerb(wait), objectName(wait.object), wait.frame > 0 ? ` at ${placeText(wait.frame)}` : "",
      `, for ${time(data.length - wait.since)}`,
      owners.length > 0 && eventGroup(wait.event) !== "join"
        ? `; ${wait.className !== undefined ? "that is" : "it is held by"} ${owners.join("; and by ")}`
        : isLock ? "; its owner is not known" : "", " ",
      wait.frame > 0 ? make("button.quiet",
        {type: "button", onclick: () => drawer.show(threadName(wait.thread), stackList(wait.frame))}, "stack") : null);
  },

  runList() {
    const rows = this.run().slice(0, 40);
    if (rows.length === 0) return make("p");
    const whole = rows[0].weight;
    return make("div.card", {}, make("h2", {}, "Who kept whom waiting, where the owner is known"),
      make("table.plain", {}, make("tbody", {}, rows.map((row) => make("tr", {},
        make("td.clip", {}, threadName(row.from)), make("td.note", {}, "waited for"),
        make("td.clip", {}, threadName(row.to)), make("td.number", {}, `${count(row.times)} ×`),
        make("td.number", {}, time(row.weight)), make("td.bar", {}, bar(row.weight, whole, "blocked")))))));
  },
};
