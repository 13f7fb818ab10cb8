/* The events that match the filters. Only visible rows have elements. */

const LOG_HEIGHT = 24;

const log = {
  key: "log", label: "Log",
  hints: [["/", "search in threads, events, objects, places"], ["↑ ↓, Enter", "from row to row, its stack"]],
  words: [], thread: -1, group: "", selected: -1,

  build() {
    this.parse();
    this.search = make("input", {type: "search", placeholder: "thread, event, object, place (/)",
      ariaLabel: "Search the log", spellcheck: false, size: 34,
      oninput: () => { this.words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean); this.apply(); }});
    this.threads = make("select", {ariaLabel: "Thread",
      onchange: () => { this.thread = Number(this.threads.value); this.apply(); }},
      make("option", {value: -1}, "all threads"), threadChoice().map((t) => make("option", {value: t}, threadName(t))));
    const groups = [...new Set(this.events.map((event) => eventGroup(event)))].sort();
    this.groups = make("select", {ariaLabel: "Events",
      onchange: () => { this.group = this.groups.value; this.apply(); }},
      make("option", {value: ""}, "all events"), groups.map((group) => make("option", {value: group}, group)));
    this.said = make("output", {ariaLive: "polite"});
    this.space = make("div.space");
    this.box = make("div.surface.scroll.rows", {tabIndex: 0, ariaLabel: "Events",
      onscroll: () => this.paint(), onkeydown: (event) => this.onkey(event)}, this.space);
    new ResizeObserver(() => this.paint()).observe(this.box);
    const left = data.log.whole ? null : make("p.note", {},
      `${count(this.num)} of ${count(data.log.events)} events: calls of ${time(data.log.least)} or longer, ` +
      "starts and ends of threads, and all events around the longest waits for locks.");
    this.apply();
    return make("div.fill", {}, make("div.tools", {}, this.search, this.threads, this.groups, this.said), left,
      make("div.log-head", {},
        ["time", "thread", "event", "object", "at", "took"].map((title) => make("span", {}, title))), this.box);
  },

  opened() { this.paint(); },

  parse() {
    const {rows} = data.log;
    this.num = rows.num;
    this.times = new Float64Array(this.num);
    for (let i = 0, at = 0; i < this.num; i++) this.times[i] = at += rows.gap[i];
    this.events = [...new Set(rows.event)];
    this.texts = new Map(); /* searched texts without the thread, by event, object, owner and place */
  },

  row(i) {
    const {rows} = data.log;
    return {time: this.times[i], thread: rows.thread[i], event: rows.event[i], object: rows.object[i],
      owner: rows.owner[i], frame: rows.frame[i], took: rows.took[i]};
  },

  /* --- the filter ----------------------------------------------------------------------- */

  matches(row) {
    if (this.thread >= 0 && row.thread !== this.thread) return false;
    if (this.group !== "" && eventGroup(row.event) !== this.group) return false;
    if (this.words.length === 0) return true;
    const text = `${threadName(row.thread).toLowerCase()} ${this.textOf(row)}`;
    return this.words.every((word) => text.includes(word));
  },

  textOf(row) {
    const key = `${row.event} ${row.object} ${row.owner} ${row.frame}`;
    let text = this.texts.get(key);
    if (text === undefined) {
      text = `${eventName(row.event)} ${objectName(row.object)} ${row.owner >= 0 ? threadName(row.owner) : ""} ${
        placeText(row.frame)}`.toLowerCase();
      this.texts.set(key, text);
    }
    return text;
  },

  apply() {
    this.shown = [];
    for (let i = 0; i < this.num; i++) if (this.matches(this.row(i))) this.shown.push(i);
    this.said.textContent = this.shown.length === this.num ? many(this.num, "event", "events")
      : `${count(this.shown.length)} of ${many(this.num, "event", "events")}`;
    this.space.style.height = `${this.shown.length * LOG_HEIGHT}px`;
    this.selected = -1;
    this.box.scrollTop = 0;
    this.paint();
  },

  /* Opens the log of a thread, scrolled to a time. */
  showAt(thread, time_) {
    app.open("log");
    drawer.hide();
    this.thread = thread;
    this.threads.value = thread;
    this.apply();
    const at = this.shown.findIndex((i) => this.times[i] >= time_ - 1);
    this.select(at < 0 ? this.shown.length - 1 : at, false);
  },

  /* --- rows ----------------------------------------------------------------------------- */

  paint() {
    const from = Math.max(0, Math.floor(this.box.scrollTop / LOG_HEIGHT) - 5),
      num = Math.ceil(this.box.clientHeight / LOG_HEIGHT) + 10;
    const shown = this.shown.slice(from, from + num);
    this.space.replaceChildren(...shown.map((i, k) => this.element(this.row(i), from + k)));
    if (this.shown.length === 0) this.space.append(make("p.note", {}, "No event matches."));
  },

  element(row, at) {
    const owner = row.owner >= 0 ? make("span.note", {}, ` held by ${threadName(row.owner)}`) : null;
    const object = objectName(row.object);
    return make(at === this.selected ? "div.event.selected" : "div.event",
      {style: `top:${at * LOG_HEIGHT}px`, onclick: () => this.select(at, true)},
      make("span", {}, moment(row.time, 1e3)), make("span", {title: threadName(row.thread)}, threadName(row.thread)),
      make("span", {}, eventName(row.event)), make("span", {title: object}, withoutPackage(object), owner),
      make("span", {title: placeText(row.frame)}, placeText(row.frame)),
      make("span", {}, row.took < 0 ? "" : time(row.took)));
  },

  select(at, opens) {
    this.selected = Math.max(0, Math.min(at, this.shown.length - 1));
    const top = this.selected * LOG_HEIGHT, height = this.box.clientHeight;
    if (top < this.box.scrollTop || top + LOG_HEIGHT > this.box.scrollTop + height)
      this.box.scrollTop = top - height / 3;
    this.paint();
    if (opens && this.shown.length > 0) this.showDetails(this.row(this.shown[this.selected]));
  },

  showDetails(row) {
    const rows = [["thread", threadName(row.thread)], ["at", moment(row.time, 1)]];
    if (row.object >= 0) rows.push(["object", objectName(row.object)]);
    if (row.owner >= 0) rows.push(["held by", threadName(row.owner)]);
    if (row.took >= 0) rows.push(["took", time(row.took)]);
    drawer.show(eventName(row.event), facts(rows),
      make("p", {}, make("button", {type: "button", onclick: () => this.showInTimeline(row)}, "Show in the timeline")),
      make("h3", {}, "Stack"), stackList(row.frame));
  },

  showInTimeline(row) {
    const length = Math.max(1e4, row.took * 3), index = timeline.rowOf.get(row.thread);
    app.open("timeline");
    timeline.setRange(row.time - length, row.time + length);
    if (index !== undefined) timeline.scrollTo(index * LANE - timeline.surface.height / 2);
  },

  onkey(event) {
    const page = Math.floor(this.box.clientHeight / LOG_HEIGHT);
    const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.num, End: this.num};
    if (event.key === "Enter" && this.selected >= 0) this.select(this.selected, true);
    else if (event.key in moves) this.select(this.selected + moves[event.key], drawer.isOpen);
    else return;
    event.preventDefault();
  },
};
