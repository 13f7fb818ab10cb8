/* The table of locks, worst first as in `orca report`. An open row shows waiters, owners and places. */

const LOCKS_AT_ONCE = 30;

const locks = {
  key: "locks", label: "Locks",
  hints: [["click on a title", "sort"], ["click on a row", "who was blocked, who held it, where"]],
  sort: null, selected: null, filter: "", elements: new Map(), most: LOCKS_AT_ONCE,

  /* [title, meaning, value, text]. A value of null is not known. */
  columns: [
    ["lock", "the object", (l) => lockName(l), (l) => lockName(l)],
    ["sort", "the kind of lock", (l) => l.sort, (l) => l.sort],
    ["acquired", "times that a thread acquired it; ≥: without those that were not counted " +
      "(threshold: before the first wait for it; full table of locks)",
      (l) => l.acquired ?? null, (l) => leastMark(l.atLeast) + count(l.acquired)],
    ["waited", "times that a thread had to wait; ≥: short calls may have waited, too (threshold)", (l) => l.waited,
      (l) => waitedMark(l) + count(l.waited)],
    ["share", "share of the attempts that had to wait; ≤: of those attempts that were counted (threshold)",
      (l) => l.attempts === undefined || (l.atLeast && l.waitedAtLeast) ? null : l.waited / l.attempts,
      (l) => (l.atLeast ? "≤ " : waitedMark(l)) + share(l.waited, l.attempts)],
    ["failed", "waits without success; ≥: short ones may have been, too (threshold)", (l) => l.failed,
      (l) => leastMark(l.shortWaits !== undefined && l.sort !== "monitor") + count(l.failed)],
    ["blocked", "total time that threads waited for it; ≥: without some short waits (threshold)", (l) => l.blocked,
      (l) => blockedMark(l) + time(l.blocked)],
    ["mean", "mean wait", (l) => l.waited === 0 || l.waitedAtLeast ? null : l.blocked / l.waited,
      (l) => time(l.blocked / l.waited)],
    ["p99", "99 of 100 waits were shorter; ≤: perhaps much shorter (threshold)", (l) => l.waited === 0 ? null : l.p99,
      (l) => (l.p99AtMost ? "≤ " : "") + time(l.p99)],
    ["longest", "the longest wait; ≥: of those that are known (threshold)", (l) => l.waited === 0 ? null : l.longest,
      (l) => leastMark(l.longestAtLeast) + time(l.longest)],
    ["held", "total time that threads held it", (l) => l.held ?? null, (l) => time(l.held)],
    ["mean held", "mean time that a thread held it",
      (l) => l.held === undefined ? null : l.held / l.holds, (l) => time(l.held / l.holds)],
  ],

  build() {
    this.search = make("input", {type: "search", placeholder: "locks (/)", ariaLabel: "Locks", spellcheck: false,
      oninput: () => { this.filter = this.search.value.toLowerCase(); this.most = LOCKS_AT_ONCE; this.fill(); }});
    this.said = make("output", {ariaLive: "polite"});
    this.head = make("tr", {}, this.columns.map(([title, meaning], i) =>
      make(i < 2 ? "th" : "th.number", {},
        make("button.quiet", {type: "button", title: meaning, onclick: () => this.sortBy(i)}, title))));
    this.body = make("tbody");
    this.fill();
    return make("div.locks", {}, make("div.tools", {}, this.search, this.said, copyButtons(this)),
      make("div.card.wide", {}, make("table.locks", {}, make("thead", {}, this.head), this.body)));
  },

  sortBy(column) {
    this.setSort({column, down: this.sort?.column === column ? !this.sort.down : column > 1});
  },

  setSort(sort) {
    this.sort = sort;
    [...this.head.children].forEach((cell, i) => {
      cell.ariaSort = i !== sort?.column ? "none" : sort.down ? "descending" : "ascending";
    });
    this.fill();
  },

  table() {
    const rows = this.rows(), [, ...columns_] = this.columns;
    const table = (text) => ({head: ["lock", ...columns_.map(([title]) => title), "mostly at"],
      rows: rows.map((lock) => [lockName(lock), ...columns_.map((column) => text(column, lock)),
        lock.places[0]?.key ?? ""])});
    const exact = table(([, , value], lock) => value(lock) ?? "");
    if (rows.some((lock) => lock.waitedAtLeast)) {
      exact.head.push("waited is least");
      rows.forEach((lock, i) => exact.rows[i].push(lock.waitedAtLeast ? "yes" : "no"));
    }
    return {...table(([, , value, text], lock) => value(lock) === null ? dash : text(lock)), exact};
  },

  rows() {
    const rows = data.locks.rows.filter((lock) =>
      `${lockName(lock)} ${lock.sort}`.toLowerCase().includes(this.filter));
    if (this.sort === null) return rows;
    const [, , value] = this.columns[this.sort.column], sign = this.sort.down ? -1 : 1;
    return rows.sort((a, b) => {
      const x = value(a), y = value(b);
      if (x === null || y === null) return (x === null) - (y === null);
      return sign * (typeof x === "string" ? x.localeCompare(y) : x - y);
    });
  },

  /* A row has its element as long as the page is open. Only the first rows are in the table, because the layout of
     hundreds takes too long for a click. */
  fill() {
    const rows = this.rows(), all = data.locks.rows, blocked = rows.reduce((sum, lock) => sum + lock.blocked, 0);
    const {left} = data.locks;
    this.said.textContent = this.filter === "" && left > 0 ? `the worst ${count(all.length)} of ${
      count(all.length + left)} locks` : this.filter === "" ? many(all.length, "lock", "locks") :
      `${count(rows.length)} of ${many(all.length, "lock", "locks")}, ${time(blocked)} blocked, ${
        share(blocked, data.blocked)} of all`;
    const shown = rows.slice(0, this.most).map((lock) => this.row(lock));
    if (rows.length > this.most) shown.push(this.moreRow(rows.length - this.most));
    if (rows.length === 0) {
      shown.push(make("tr", {}, make("td.note", {colSpan: this.columns.length},
        all.length === 0 ? "No thread waited for a lock." : "No lock matches.")));
    }
    this.body.replaceChildren(...shown);
    this.showDetails();
    app.note();
  },

  state() {
    return {find: this.search.value, sort: this.sort === null ? "" : this.columns[this.sort.column][0],
      up: this.sort === null || this.sort.down ? "" : "yes",
      lock: this.selected === null ? "" : `${lockName(this.selected)} ${this.selected.sort}`};
  },

  restore({find = "", sort = "", up = "", lock = ""}) {
    this.search.value = find;
    this.filter = find.toLowerCase();
    const column = this.columns.findIndex(([title]) => title === sort);
    this.setSort(column < 0 ? null : {column, down: up !== "yes"});
    const found = data.locks.rows.find((row) => `${lockName(row)} ${row.sort}` === lock);
    this.select(found ?? null);
  },

  moreRow(more) {
    return make("tr", {}, make("td", {colSpan: this.columns.length}, make("button", {
      type: "button", onclick: () => { this.most = Infinity; this.fill(); }}, `Show ${many(more, "more", "more")}`)));
  },

  row(lock) {
    if (!this.elements.has(lock)) this.elements.set(lock, this.newRow(lock));
    return this.elements.get(lock);
  },

  newRow(lock) {
    const toggle = () => this.select(this.selected === lock ? null : lock);
    return make("tr.link", {
      tabIndex: 0, ariaExpanded: "false", onclick: toggle,
      onkeydown: (event) => { if (event.key === "Enter") toggle(); },
    }, this.columns.map(([, , value, text], i) => {
      const cell = make(i === 0 ? "td.clip" : i === 1 ? "td" : "td.number", {},
        value(lock) === null ? dash : text(lock));
      if (i === 0) { cell.title = lockName(lock); cell.replaceChildren(...this.nameAndPlace(lock)); }
      if (i === 6) cell.append(bar(lock.blocked, data.blocked, "blocked"));
      return cell;
    }));
  },

  /* Two lines: the class and where most of the time was waited, or a title, which contains the place, and the class. */
  nameAndPlace(lock) {
    const name = withoutPackage(lockName(lock)), parts = /^(.+) \((\S+@[0-9A-F]{8})\)$/.exec(name);
    const [title, more] = parts === null ? [name, lock.places[0]?.key ?? ""] : parts.slice(1);
    return [title, more === "" ? "" : make("div.note", {title: more}, more)];
  },

  select(lock) {
    this.selected = lock;
    if (lock !== null && !this.row(lock).isConnected) {
      this.search.value = this.filter = "";
      this.most = Infinity;
      this.fill();
    } else this.showDetails();
    if (lock !== null) this.row(lock).scrollIntoView({block: "nearest"});
    app.note();
  },

  /* Opens the row of the selected lock and closes the row that was open. */
  showDetails() {
    for (const row of this.body.querySelectorAll("tr.open, tr.details")) {
      row.classList.remove("open");
      row.ariaExpanded = "false";
      if (row.classList.contains("details")) row.remove();
    }
    if (this.selected === null || !this.row(this.selected).isConnected) return;
    const row = this.row(this.selected);
    row.classList.add("open");
    row.ariaExpanded = "true";
    row.after(this.details(this.selected));
  },

  /* What sums tell about short calls, which have no lines. */
  shortWords(lock) {
    const {threshold} = data.locks, {shortWaits, longWaits, longBlocked, shortCalls, shortCallTime, hasOthers} = lock;
    const some = longWaits === 0 ? "None" : count(longWaits);
    const together = longWaits === 0 ? "" : `, ${time(longBlocked)} together`;
    return [
      shortWaits === undefined ? "" :
        `${some} of the waits took ${threshold} or longer${together}. Who waited in the others is not known.`,
      shortCalls === undefined ? "" : `${many(shortCalls, "call", "calls")} shorter than ${threshold}, ${
        time(shortCallTime)} together: it is not known which of them had to wait.`,
      hasOthers === undefined ? "" : "There may be more waits, among those of several objects.",
    ].filter((words) => words !== "").map((words) => make("p", {}, words));
  },

  details(lock) {
    const verb = lock.sort === "monitor" ? "blocked" : "waited", open = lock.open === 0 ? null :
      make("p.bad", {}, `${many(lock.open, "thread was", "threads were")} still ${
        verb === "blocked" ? "blocked on it" : "waiting for it"} when the recording ended.`);
    const owners = lock.owners.length > 0 ? lock.owners : lock.holders ?? [];
    const held = lock.owners.length > 0
      ? `Who held it (known ${count(lock.owned)} of ${many(lock.waited, "time", "times")})` : "Who held it";
    return make("tr.details", {}, make("td", {colSpan: this.columns.length},
      make("p", {}, make("b", {}, lockName(lock))), open, ...this.shortWords(lock),
      make("div.columns", {},
        this.keys(verb === "blocked" ? "Who was blocked" : "Who waited", lock.threads, threadName, "blocked"),
        this.keys(held, owners, threadName, "held"),
        this.keys(verb === "blocked" ? "Where they were blocked" : "Where they waited", lock.places,
          (place) => place, "place"),
        lock.holderPlaces.length === 0 ? null : this.keys("Where the holder was while others waited",
          lock.holderPlaces, (place) => place, "held", false))));
  },

  /* A table of keys with their times. `counted`: with a column of counts. */
  keys(title, rows, name, className, counted = true) {
    const whole = rows.reduce((sum, {ns}) => sum + ns, 0);
    const body = rows.length === 0 ? make("p.note", {}, "Not known.") :
      make("table.plain", {}, make("tbody", {}, rows.map(({key, times, ns}) =>
      make("tr", {}, make("td.clip", {title: key === null ? "" : name(key)}, key === null ? "others" : name(key)),
        counted ? make("td.number", {}, `${count(times)} ×`) : null, make("td.number", {}, time(ns)),
        make("td.bar", {}, bar(ns, whole, className))))));
    return make("section", {}, make("h3", {}, title), body);
  },
};
