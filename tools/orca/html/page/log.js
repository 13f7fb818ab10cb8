/* The events that match the filters. Only visible rows have elements. */

const LOG_HEIGHT = 24;

/* What the log of a large recording contains. */
function logContents() {
  const {rows, events, least, lives, moments} = data.log;
  const parts = [`calls of ${time(least)} or longer`];
  if (lives) parts.push("starts and ends of threads");
  if (moments) parts.push("all events around the longest waits for locks");
  const last = parts.pop();
  return `${count(rows.num)} of ${count(events)} events: ${
    parts.length === 0 ? last : `${parts.join(", ")} and ${last}`}.`;
}

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
    const left = data.log.whole ? null : make("p.note", {}, logContents());
    this.apply();
    return make("div.fill", {}, make("div.tools", {},
      this.search, this.threads, this.groups, this.said, copyButtons(this)), left,
      make("div.log-head", {},
        ["time", "thread", "event", "object", "at", "took"].map((title) => make("span", {}, title))), this.box);
  },

  opened() { this.paint(); },

  state() {
    return {find: this.search.value, thread: this.thread < 0 ? "" : threadKey(this.thread), events: this.group,
      at: this.selected < 0 ? "" : this.shown[this.selected]};
  },

  restore({find = "", thread = "", events = "", at = ""}) {
    this.search.value = find;
    this.words = find.toLowerCase().split(/\s+/).filter(Boolean);
    this.thread = threadOfKey(thread);
    this.threads.value = this.thread;
    this.group = this.groups.value = events;
    this.apply();
    if (at !== "") this.select(this.shown.indexOf(Number(at)), false);
  },

  parse() {
    const {rows} = data.log;
    this.num = rows.num;
    this.times = new Float64Array(this.num);
    for (let i = 0, at = 0; i < this.num; i++) this.times[i] = at += rows.gap[i];
    this.events = [...new Set(rows.event)];
    this.words_ = new Map();
  },

  row(i) {
    const {rows} = data.log;
    return {time: this.times[i], thread: rows.thread[i], event: rows.event[i], object: rows.object[i],
      owner: rows.owner[i], frame: rows.frame[i], took: rows.took[i]};
  },

  /* --- the filter ----------------------------------------------------------------------- */

  /* For each thread, event, object and frame: does its text contain the word? The rows of a log name few of them
     often. */
  wordOf(text) {
    let word = this.words_.get(text);
    if (word !== undefined) return word;
    const has = (num, name) => Uint8Array.from({length: num}, (_, i) => name(i).toLowerCase().includes(text) ? 1 : 0);
    const {rows} = data.log, frames = new Int8Array(data.frames.num + 1).fill(-1);
    for (let i = 0; i < rows.num; i++) {
      const frame = rows.frame[i];
      if (frames[frame] < 0) frames[frame] = placeText(frame).toLowerCase().includes(text) ? 1 : 0;
    }
    word = {threads: has(data.threads.length, threadName), events: has(data.events.length, eventName),
      objects: has(data.objects.length, objectName), frames};
    this.words_.set(text, word);
    if (this.words_.size > 20) this.words_.delete(this.words_.keys().next().value);
    return word;
  },

  /* Words have no blanks, so each must be in one of the texts of the row. */
  apply() {
    const {rows} = data.log, words = this.words.map((text) => this.wordOf(text));
    const inGroup = data.events.map(({group}) => this.group === "" || group === this.group);
    const matches = (i) => (this.thread < 0 || rows.thread[i] === this.thread) && inGroup[rows.event[i]] &&
      words.every((word) => word.threads[rows.thread[i]] === 1 || word.events[rows.event[i]] === 1 ||
        word.objects[rows.object[i]] === 1 || word.threads[rows.owner[i]] === 1 || word.frames[rows.frame[i]] === 1);
    this.shown = [];
    for (let i = 0; i < this.num; i++) if (matches(i)) this.shown.push(i);
    this.said.textContent = this.shown.length === this.num ? many(this.num, "event", "events")
      : `${count(this.shown.length)} of ${many(this.num, "event", "events")}`;
    this.space.style.height = `${this.shown.length * LOG_HEIGHT}px`;
    this.selected = -1;
    this.box.scrollTop = 0;
    app.note();
    this.paint();
  },

  table() {
    const table = (text) => ({head: ["time", "thread", "event", "object", "held by", "at", "took"],
      rows: this.shown.map((i) => {
        const row = this.row(i);
        return [text(row.time, moment), threadName(row.thread), eventName(row.event), objectName(row.object),
          row.owner < 0 ? "" : threadName(row.owner), placeText(row.frame), row.took < 0 ? "" : text(row.took, time)];
      })});
    return {...table((ns, write) => write(ns, 1e3)), exact: table((ns) => ns)};
  },

  /* Opens the log of a thread, scrolled to a time. */
  showAt(thread, time_) {
    openView("log");
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
    app.note();
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
    openView("timeline");
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
