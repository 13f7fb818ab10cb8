/* The timeline: a row for each thread with its states over time. Arrows lead from a blocked thread to the owner. */

const LANE = 24, LANE_GAP = 5, AXIS = 26 + machine.height + criticalPath.height;
const MOST_ARROWS = 60, MOST_WITHOUT_GROUPS = 20;

const countRoom = (group) => 22 + 8 * String(group.members.length).length;
const timeline = {
  key: "timeline", label: "Timeline",
  hints: [["wheel, + −, w s", "zoom (Ctrl and wheel where the rows scroll)"], ["drag, ← →, a d", "move"],
    ["Shift and drag", "zoom into a range"],
    ["Home", "show everything"], ["click", "what the thread did there"],
    ["click on a group", "its threads; the height of its lane is all of them"]],
  begin: 0, end: data.length, scroll: 0, order: "cpu", filter: "", showArrows: true, hovered: null,

  orders: [["cpu", "by CPU time"], ["blocked", "by blocked time"], ["name", "by name"], ["start", "by start"]],

  opened_: new Set(),

  build() {
    this.all = data.timeline.rows.map((row) => new TimelineRow(row));
    this.hasGroups = this.all.length > MOST_WITHOUT_GROUPS;
    const order = this.orderBox = make("select", {ariaLabel: "Order",
      onchange: () => { this.order = order.value; this.arrange(); }},
      this.orders.map(([key, label]) => make("option", {value: key}, label)));
    this.search = make("input", {type: "search", placeholder: "threads (/)", ariaLabel: "Threads", size: 14,
      spellcheck: false,
      oninput: () => { this.filter = this.search.value.toLowerCase(); this.arrange(); }});
    this.said = make("output", {ariaLive: "polite"});
    this.range = make("output");
    this.names = make("div.names");
    this.plot = make("div.plot", {tabIndex: 0, ariaLabel: "Timeline"});
    this.lanes = make("div.surface.lanes", {}, this.names, machine.labels(), criticalPath.labels(AXIS),
      this.plot);
    this.surface = new Surface(this.plot, () => this.paint());
    this.listen();
    this.arrange();
    const tools = make("div.tools", {}, order, this.search, this.said, this.groupSwitch(), this.arrowSwitch(),
      make("div.segments", {}, ...[
        ["−", () => this.zoom(2)], ["+", () => this.zoom(0.5)], ["whole", () => this.setRange(0, data.length)]]
        .map(([label, onclick]) => make("button", {type: "button", onclick}, label))),
        this.flameButton(), copyButtons(this),
      this.range);
    return make("div.fill", {}, tools, this.legend(), this.lanes);
  },

  arrowSwitch() {
    const box = this.arrowBox = make("input", {type: "checkbox", checked: true,
      onchange: () => { this.showArrows = box.checked; app.note(); this.surface.repaint(); }});
    return make("label.check", {title: "From a blocked thread to the owner of the lock, if it is known"}, box,
      "who held the lock");
  },

  flameButton() {
    if (data.slices.rows.num === 0) return null;
    return make("button", {type: "button", title: "The flame graph of the time that is in sight",
      onclick: () => { openView("flame"); flame.setPart(this.begin, this.end); }}, "Flame graph");
  },

  groupSwitch() {
    if (groupRows(this.all, () => 0, new Set()).length === this.all.length) return null;
    const box = this.groupBox = make("input", {type: "checkbox", checked: this.hasGroups,
      onchange: () => { this.hasGroups = box.checked; this.arrange(); }});
    return make("label.check", {title: "One lane for threads whose names differ only in numbers"}, box, "groups");
  },

  legend() {
    const used = data.timeline.states.map((_, state) => this.all.some((row) => row.sums[state] > 0));
    return make("div.legend", {}, data.timeline.states.map(({name, meaning}, state) => !used[state] ? null :
      make("span", {title: meaning}, make("i", {style: `background:var(--state-${state})`}), name)), machine.legend());
  },

  opened() { this.plot.focus({preventScroll: true}); },

  /* --- the address --------------------------------------------------------------- */

  state() {
    const isWhole = this.begin === 0 && this.end === data.length;
    return {from: isWhole ? "" : Math.round(this.begin), to: isWhole ? "" : Math.round(this.end),
      order: this.order === "cpu" ? "" : this.order, find: this.search.value,
      groups: this.hasGroups === this.all.length > MOST_WITHOUT_GROUPS ? "" : this.hasGroups ? "yes" : "no",
      open: [...this.opened_].join("\n"), owners: this.showArrows ? "" : "no"};
  },

  restore({from = "0", to = String(data.length), order = "cpu", find = "", groups = "", open = "", owners = "yes"}) {
    this.order = this.orderBox.value = this.orders.some(([key]) => key === order) ? order : "cpu";
    this.search.value = find;
    this.filter = find.toLowerCase();
    this.hasGroups = groups === "" ? this.all.length > MOST_WITHOUT_GROUPS : groups === "yes";
    if (this.groupBox !== undefined) this.groupBox.checked = this.hasGroups;
    this.opened_ = new Set(open === "" ? [] : open.split("\n"));
    this.showArrows = this.arrowBox.checked = owners !== "no";
    this.arrange();
    this.setRange(Number(from), Number(to));
  },

  table() {
    const rows = this.rows.filter((row) => row.members === undefined || !this.opened_.has(row.name));
    const used = data.timeline.states.map((_, state) => state)
      .filter((state) => rows.some((row) => row.sums[state] > 0));
    const table = (text) => ({head: ["thread", "threads", "CPU time", ...used.map(stateName)],
      rows: rows.map((row) =>
        [row.name, row.members?.length ?? 1, text(row.cpu), ...used.map((s) => text(row.sums[s]))])});
    return {...table(time), exact: table((ns) => ns)};
  },

  /* Shows a thread: its lane, and what is known of it. */
  showInSight(thread) {
    openView("timeline");
    const row = this.all.find((other) => other.thread === thread);
    if (row === undefined) { log.showAt(thread, 0); return; }
    if (this.groupOf.has(row) && !this.opened_.has(this.groupOf.get(row).name)) this.toggleGroup(this.groupOf.get(row));
    this.scrollTo(this.rows.indexOf(row) * LANE - this.surface.height / 2);
    this.showThread(row);
  },

  /* --- rows ------------------------------------------------------------------------- */

  arrange() {
    const blocked = data.timeline.states.findIndex(({name}) => name === "blocked");
    const by = {
      cpu: (a, b) => b.cpu - a.cpu,
      blocked: (a, b) => b.sums[blocked] - a.sums[blocked],
      name: (a, b) => byName.compare(a.name, b.name),
      start: (a, b) => a.first - b.first,
    }[this.order];
    const found = this.all.filter((row) => row.name.toLowerCase().includes(this.filter)).sort(by);
    this.said.textContent = found.length === this.all.length ? "" :
      `${count(found.length)} of ${many(this.all.length, "thread", "threads")}`;
    this.rows = this.hasGroups ? groupRows(found, by, this.opened_) : found;
    this.rowOf = new Map();
    this.groupOf = new Map();
    this.rows.forEach((row, i) => {
      for (const member of row.members ?? []) { this.rowOf.set(member.thread, i); this.groupOf.set(member, row); }
      if (row.members === undefined) this.rowOf.set(row.thread, i);
    });
    app.note();
    this.scrollTo(0);
  },

  toggleGroup(group) {
    if (!this.opened_.delete(group.name)) this.opened_.add(group.name);
    const {scroll} = this;
    this.arrange();
    this.scrollTo(scroll);
  },

  get most() { return Math.max(0, this.rows.length * LANE + AXIS - this.surface.height); },

  scrollTo(y) {
    this.scroll = Math.max(0, Math.min(y, this.most));
    this.surface.repaint();
    if (this.surface.width === 0) this.paintNames();
  },

  paintNames() {
    const from = Math.floor(this.scroll / LANE), num = Math.ceil(this.surface.height / LANE) + 1;
    const room = this.names.clientWidth - 28;
    this.names.replaceChildren(...this.rows.slice(from, from + num).map((row, i) => {
      const style = `top:${AXIS + (from + i) * LANE - this.scroll}px`;
      const title = `${row.name}: CPU ${time(row.cpu)}`;
      return row.members === undefined
        ? make("button.quiet", {type: "button", title, style, onclick: () => this.showThread(row)},
          ...this.nameOf(row, room))
        : make("button.quiet.group", {type: "button", title: `${title}, ${row.members.length} threads`, style,
          ariaExpanded: String(this.opened_.has(row.name)), onclick: () => this.toggleGroup(row)},
          cutInMiddle(row.name, (room - countRoom(row)) * 0.93), make("span.note", {}, `×${row.members.length}`));
    }));
  },

  /* Below its group, a thread shows only the end of its name. */
  nameOf(row, room) {
    const prefix = this.groupOf.get(row)?.prefix ?? "";
    return prefix === "" ? [cutInMiddle(row.name, room)] :
      [make("span.note", {}, "…"), cutInMiddle(row.name.slice(prefix.length), room - 24)];
  },

  /* --- the range of time ------------------------------------------------------------- */

  setRange(begin, end) {
    const length = Math.min(data.length, Math.max(100, end - begin));
    this.begin = Math.max(0, Math.min(begin, data.length - length));
    this.end = this.begin + length;
    app.note();
    this.surface.repaint();
  },

  zoom(factor, at = (this.begin + this.end) / 2) {
    this.setRange(at - (at - this.begin) * factor, at + (this.end - at) * factor);
  },

  pan(share_) {
    const by = (this.end - this.begin) * share_;
    this.setRange(this.begin + by, this.end + by);
  },

  timeAt(x) { return this.begin + (this.end - this.begin) * x / this.surface.width; },
  xOf(time_) { return (time_ - this.begin) / (this.end - this.begin) * this.surface.width; },
  yOf(index) { return AXIS + index * LANE - this.scroll; },

  /* --- drawing ------------------------------------------------------------------------ */

  paint() {
    const {context, width, height} = this.surface, view = {begin: this.begin, end: this.end, width};
    this.scroll = Math.min(this.scroll, this.most);
    context.clearRect(0, 0, width, height);
    this.paintNames();
    const from = Math.max(0, Math.floor(this.scroll / LANE)),
      to = Math.min(this.rows.length, Math.ceil((this.scroll + height) / LANE));
    context.save();
    context.beginPath();
    context.rect(0, AXIS, width, height);
    context.clip();
    for (let i = from; i < to; i++) {
      const row = this.rows[i];
      if (row.members === undefined) paintSpans(context, row, view, this.yOf(i), LANE - LANE_GAP);
      else context.drawImage(row.picture(view, LANE - LANE_GAP).canvas, 0, this.yOf(i));
    }
    this.paintArrows();
    context.restore();
    machine.paint(context, view, AXIS - criticalPath.height, height);
    criticalPath.paint(context, view, AXIS);
    this.paintAxis(view);
    this.paintSelection();
    this.range.textContent = `${moment(this.begin, this.precision)} to ${moment(this.end, this.precision)}, ${
      time(this.end - this.begin)}`;
  },

  get precision() { return (this.end - this.begin) / 1000; },

  paintAxis(view) {
    const {context, height} = this.surface, {step, marks} = axisMarks(view);
    context.font = "11px " + getComputedStyle(document.body).fontFamily;
    context.textBaseline = "middle";
    for (const mark of marks) {
      const x = Math.round(this.xOf(mark)) + 0.5;
      context.fillStyle = theme.color("grid");
      context.fillRect(x, AXIS - 6, 1, height);
      context.fillStyle = theme.color("muted");
      context.fillText(moment(mark, step), x + 4, 10);
    }
  },

  /* Paints the longest visible arrows. The arrow of the span under the pointer is opaque. */
  paintArrows() {
    if (!this.showArrows) return;
    const {context} = this.surface, perPixel = (this.end - this.begin) / this.surface.width;
    context.strokeStyle = context.fillStyle = theme.color("arrow");
    context.lineWidth = 1;
    for (let i = 0, drawn = 0; i < arrows.num && drawn < MOST_ARROWS; i++) {
      const arrow = arrows.at(i);
      if (arrow.length < 6 * perPixel) break;
      if (arrow.begin < this.begin || arrow.begin > this.end) continue;
      const hovered = this.hovered !== null && arrow.thread === this.hovered.row.thread &&
        arrow.begin < this.hovered.time && arrow.end > this.hovered.time;
      drawn += this.paintOneArrow(arrow, hovered);
    }
  },

  paintOneArrow(arrow, hovered) {
    const from = this.rowOf.get(arrow.thread), to = this.rowOf.get(arrow.owner), middle = (LANE - LANE_GAP) / 2;
    if (from === undefined || to === undefined || from === to) return 0;
    const y0 = this.yOf(from) + middle, y1 = this.yOf(to) + middle, {height} = this.surface;
    if (Math.max(y0, y1) < AXIS || Math.min(y0, y1) > height) return 0;
    this.surface.context.globalAlpha = hovered ? 1 : 0.55;
    paintArrow(this.surface.context, this.xOf(arrow.begin), y0, y1);
    this.surface.context.globalAlpha = 1;
    return 1;
  },

  paintSelection() {
    if (this.dragging?.select !== true) return;
    const {context, height} = this.surface, x0 = this.dragging.from, x1 = this.dragging.to;
    context.fillStyle = theme.color("accent");
    context.globalAlpha = 0.18;
    context.fillRect(Math.min(x0, x1), AXIS, Math.abs(x1 - x0), height);
    context.globalAlpha = 1;
  },

  /* --- the pointer and the keys --------------------------------------------------------- */

  listen() {
    const {canvas} = this.surface;
    this.lanes.addEventListener("wheel", (event) => this.onwheel(event), {passive: false});
    canvas.onpointerdown = (event) => this.startDrag(event);
    canvas.onpointermove = (event) => this.dragging ? this.drag(event) : this.hover(event);
    canvas.onpointerup = (event) => this.endDrag(event);
    canvas.onpointerleave = () => { this.hovered = null; tooltip.hide(); this.surface.repaint(); };
    canvas.ondblclick = (event) => this.zoom(0.4, this.timeAt(event.offsetX));
    this.plot.onkeydown = (event) => this.onkey(event);
    theme.listeners.push(() => this.surface.repaint());
  },

  onwheel(event) {
    event.preventDefault();
    tooltip.hide();
    const zooms = event.ctrlKey || event.metaKey || this.most === 0;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey)
      this.pan((event.deltaX || event.deltaY) / this.surface.width);
    else if (zooms) this.zoom(Math.exp(Math.max(-120, Math.min(120, event.deltaY)) / 300), this.timeAt(event.offsetX));
    else this.scrollTo(this.scroll + event.deltaY);
  },

  startDrag(event) {
    if (event.button !== 0) return;
    event.target.setPointerCapture(event.pointerId);
    this.dragging = {select: event.shiftKey, from: event.offsetX, to: event.offsetX, y: event.offsetY,
      begin: this.begin, scroll: this.scroll, moved: false};
  },

  drag(event) {
    const d = this.dragging, by = event.offsetX - d.from;
    d.to = event.offsetX;
    d.moved ||= Math.abs(by) + Math.abs(event.offsetY - d.y) > 4;
    if (!d.moved) return;
    tooltip.hide();
    if (d.select) { this.surface.repaint(); return; }
    const shift = by / this.surface.width * (this.end - this.begin);
    this.setRange(d.begin - shift, d.begin - shift + this.end - this.begin);
    this.scrollTo(d.scroll - (event.offsetY - d.y));
  },

  endDrag(event) {
    const d = this.dragging;
    this.dragging = null;
    if (d?.select && d.moved) {
      const times = [this.timeAt(d.from), this.timeAt(d.to)].sort((a, b) => a - b);
      this.setRange(...times);
    } else if (d && !d.moved) this.click(event);
    this.surface.repaint();
  },

  onkey(event) {
    const actions = {
      "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), w: () => this.zoom(0.5),
      "-": () => this.zoom(2), s: () => this.zoom(2),
      ArrowLeft: () => this.pan(-0.2), a: () => this.pan(-0.2), ArrowRight: () => this.pan(0.2), d: () => this.pan(0.2),
      ArrowUp: () => this.scrollTo(this.scroll - LANE), ArrowDown: () => this.scrollTo(this.scroll + LANE),
      PageUp: () => this.scrollTo(this.scroll - this.surface.height),
      PageDown: () => this.scrollTo(this.scroll + this.surface.height),
      Home: () => this.setRange(0, data.length),
    };
    if (!(event.key in actions) || event.ctrlKey || event.metaKey) return;
    actions[event.key]();
    event.preventDefault();
  },

  /* The row, the time and the span under the pointer; span -1: none; null: no row. */
  spot(event) {
    const index = Math.floor((event.offsetY - AXIS + this.scroll) / LANE);
    if (event.offsetY < AXIS || index < 0 || index >= this.rows.length) return null;
    const row = this.rows[index], time_ = this.timeAt(event.offsetX);
    return {row, time: time_, span: row.members === undefined ? row.at(time_) : -1};
  },

  hover(event) {
    const spot = this.spot(event);
    this.hovered = spot;
    this.surface.repaint();
    const lane = spot === null ? this.laneAt(event.offsetY, this.timeAt(event.offsetX)) : null;
    if (lane !== null) { tooltip.show(event, lane.name, lane.rows); return; }
    if (spot?.row.members !== undefined) { this.hoverGroup(event, spot.row); return; }
    if (spot === null || spot.span < 0) { tooltip.hide(); return; }
    const state = spot.row.states[spot.span];
    tooltip.show(event, threadName(spot.row.thread), this.describe(spot),
      state === MIXED ? undefined : stateColor(state));
  },

  laneAt(y, time_) {
    return criticalPath.at(y, time_, AXIS) ?? machine.at(y, time_, AXIS - criticalPath.height);
  },

  hoverGroup(event, group) {
    const rows = group.at(event.offsetX).map(({name, threads}) =>
      [name, `${threads.toFixed(threads < 9.95 ? 1 : 0)} of ${count(group.members.length)} threads`]);
    tooltip.show(event, group.name, [...rows, ["at", moment(this.timeAt(event.offsetX), this.precision)]]);
  },

  describe({row, span}) {
    const state = row.states[span], length = row.ends[span] - row.begins[span];
    const when = ["at", moment(row.begins[span], length / 100)];
    if (state === MIXED) {
      const parts = stateTimes(mixOf(row.details[span])).map(({name, ns}) => [name, time(ns)]);
      return [[`within ${time(length)}, in some order:`], ...parts, when];
    }
    return [[stateName(state), time(length)], when, ...this.describeCall(row.details[span])];
  },

  describeCall(detail) {
    if (detail === 0) return [];
    const {calls} = data.timeline, call = detail - 1;
    const object = calls.object[call], owner = calls.owner[call], frame = calls.frame[call];
    const rows = [["in", eventName(calls.event[call])]];
    if (object >= 0) rows.push(["of", objectName(object)]);
    if (owner >= 0) rows.push(["held by", threadName(owner)]);
    if (frame > 0) rows.push(["from", placeText(frame)]);
    return rows;
  },

  click(event) {
    const spot = this.spot(event);
    if (spot === null && criticalPath.click(event.offsetY, this.timeAt(event.offsetX), AXIS)) return;
    if (spot?.row.members !== undefined) this.toggleGroup(spot.row);
    if (spot === null || spot.span < 0) return;
    const {row, span} = spot, detail = row.details[span], state = row.states[span];
    const frame = state === MIXED || detail === 0 ? 0 : data.timeline.calls.frame[detail - 1];
    drawer.show(threadName(row.thread), facts(this.describe(spot).map(([label, text = ""]) => [label, text])),
      make("p", {}, make("button", {type: "button", onclick: () => log.showAt(row.thread, row.begins[span])},
        "Show in the log")),
      frame === 0 ? null : make("h3", {}, "Stack"), frame === 0 ? null : stackList(frame));
  },

  showThread(row) {
    const {name, hash, first, last, alive, cpu} = data.threads[row.thread];
    drawer.show(name, facts([["hash", hash],
      ["lived", `${moment(first)} to ${moment(last)}${alive ? ", alive at the end" : ""}`], ["CPU time", time(cpu)],
      ...stateTimes(row.sums).map((state) => [state.name, time(state.ns)])]),
      make("p", {}, make("button",
        {type: "button", onclick: () => { openView("flame"); flame.part = null; flame.setThread(row.thread); }},
        "Its flame graph"), " ",
        data.slices.rows.num === 0 || (this.begin === 0 && this.end === data.length) ? null : make("button",
          {type: "button", onclick: () => {
            openView("flame"); flame.thread = row.thread; flame.threads.value = row.thread;
            flame.setPart(this.begin, this.end);
          }}, "In the time that is in sight"), " ",
        make("button", {type: "button", onclick: () => log.showAt(row.thread, 0)}, "Its events")));
  },
};
