/* The tables of `orca diff`: locks, methods and waits with their times before and after. */

const COMPARED_AT_ONCE = 60;

/* "monitor of com.acme.Inventory" becomes "monitor of Inventory". */
const shortLock = (name) => name.replace(/(?:[\w$]+\.)+(?=[\w$]+$)/, "");

/* "Ledger.enter" of "Ledger.enter (Ledger.java:11)" */
const methodOfPlace = (row) => row.main_place.replace(/ \([^(]*$/, "");

const comparedTables = {
  key: "tables", label: "Tables",
  hints: [["click on a title", "sort"], ["click on a row", "the lock in its recording, the stacks of the method"]],
  part: "locks", filter: "", sort: null, most: COMPARED_AT_ONCE,

  parts: [["locks", "Locks", "Blocked time of each lock class and method"], ["methods", "Methods", "Own CPU time"],
    ["waits", "Waits", "Other waits, sleeps and joins"]],
  nouns: {locks: "lock", methods: "method", waits: "call"},

  /* [title, meaning, value, text]; the last two get a row. The number of a count is per second. */
  get columns() {
    const times = (key, side) => (row) => row[`${key}_count`] === undefined ? null
      : row[`${key}_count`] / comparedLength(side) * 1e9;
    const number = (value, side) => (row) => leastMark(isLeast(row, side)) + value(row).toFixed(1);
    const all = [
      [this.nouns[this.part], "in both recordings the same name", (row) => row[this.nouns[this.part]], null],
      ["at", "where most of the time was spent", (row) => row.main_place, null],
      ["A", "time in each second of A", (row) => row.a_ns_per_s, (row) => rateText(row, "a")],
      ["B", "time in each second of B", (row) => row.b_ns_per_s, (row) => rateText(row, "b")],
      ["change", "B minus A; ~ is not more than chance; ?: not known, the time may be of several objects",
        (row) => row.b_ns_per_s - row.a_ns_per_s, null]];
    return this.part === "methods" ? all : [...all,
      ["A times", "times in each second of A", times("a", 0), number(times("a", 0), "a")],
      ["B times", "times in each second of B", times("b", 1), number(times("b", 1), "b")]];
  },

  build() {
    this.search = make("input", {type: "search", placeholder: "names (/)", ariaLabel: "Names", spellcheck: false,
      oninput: () => { this.filter = this.search.value.toLowerCase(); this.most = COMPARED_AT_ONCE; this.fill(); }});
    this.parts_ = segments("Table", this.parts, this.part, (key) => this.choose(key));
    this.said = make("output", {ariaLive: "polite"});
    this.head = make("tr");
    this.body = make("tbody");
    return make("div.locks", {}, make("div.tools", {}, this.parts_, this.search, this.said, copyButtons(this)),
      make("p.note", {}, "Times are per second of the recording, because recordings differ in length. ~ marks a " +
        "difference that is not larger than chance and the usual difference between two runs."),
      make("div.card.wide", {}, make("table.locks.compared", {}, make("thead", {}, this.head), this.body)));
  },

  opened() { this.choose(this.part); },

  choose(part) {
    this.part = part;
    this.parts_.choose(part);
    this.most = COMPARED_AT_ONCE;
    if (this.sort !== null && this.sort.column >= this.columns.length) this.sort = null;
    this.head.replaceChildren(...this.columns.map(([title, meaning], i) => make(i < 2 ? "th" : "th.number", {},
      make("button.quiet", {type: "button", title: meaning, onclick: () => this.sortBy(i)}, title))));
    this.fill();
  },

  sortBy(column) {
    this.sort = {column, down: this.sort?.column === column ? !this.sort.down : column > 1};
    this.fill();
  },

  state() {
    return {part: this.part === "locks" ? "" : this.part, find: this.search.value,
      sort: this.sort === null ? "" : this.columns[this.sort.column][0],
      up: this.sort === null || this.sort.down ? "" : "yes"};
  },

  restore({part = "locks", find = "", sort = "", up = ""}) {
    this.search.value = find;
    this.filter = find.toLowerCase();
    this.part = this.parts.some(([key]) => key === part) ? part : "locks";
    const column = this.columns.findIndex(([title]) => title === sort);
    this.sort = column < 0 ? null : {column, down: up !== "yes"};
    this.choose(this.part);
  },

  rows() {
    const noun = this.nouns[this.part];
    const rows = comparison[this.part].filter((row) =>
      `${row[noun]} ${row.main_place}`.toLowerCase().includes(this.filter));
    if (this.sort === null) return rows;
    const [, , value] = this.columns[this.sort.column], sign = this.sort.down ? -1 : 1;
    return rows.sort((x, y) => sign *
      (typeof value(x) === "string" ? byName.compare(value(x), value(y)) : value(x) - value(y)));
  },

  fill() {
    const rows = this.rows(), all = comparison[this.part];
    [...this.head.children].forEach((cell, i) => {
      cell.ariaSort = i !== this.sort?.column ? "none" : this.sort.down ? "descending" : "ascending";
    });
    this.said.textContent = rows.length === all.length ? `${count(all.length)} rows` :
      `${count(rows.length)} of ${count(all.length)} rows`;
    const shown = rows.slice(0, this.most).map((row) => this.row(row));
    if (rows.length > this.most) {
      shown.push(make("tr", {}, make("td", {colSpan: this.columns.length}, make("button", {
        type: "button", onclick: () => { this.most = Infinity; this.fill(); }},
        `Show ${count(rows.length - this.most)} more`))));
    }
    if (rows.length === 0) {
      shown.push(make("tr", {}, make("td.note", {colSpan: this.columns.length},
        all.length === 0 ? "Neither recording has any." : "No row matches.")));
    }
    this.body.replaceChildren(...shown);
    app.note();
  },

  row(row) {
    const go = () => this.follow(this.part, row), [a, b] = [row.a_ns_per_s, row.b_ns_per_s];
    return make("tr.link", {tabIndex: 0, onclick: go,
      onkeydown: (event) => { if (event.key === "Enter") go(); }}, this.columns.map(([title, , value, text], i) => {
      if (title === "change") return changeCell(changeOfRow(row), row, a, b);
      if (i > 1) return make("td.number", {}, text(row));
      const name = value(row);
      return make("td.clip", {title: name}, i === 0 && this.part === "locks" ? shortLock(name) : name);
    }));
  },

  /* Shows a lock in the recording that has it, and the stacks of a method or of a wait in both. */
  follow(part, row) {
    if (part === "locks") {
      app.open("locks", row.b_ns > 0 ? 1 : 0);
      app.current.restore({find: shortLock(row.lock).split(" ").pop()});
      return;
    }
    const name = part === "methods" ? row.method : methodOfPlace(row);
    app.open("stacks");
    app.current.restore({value: part === "methods" ? "cpu" : "waits", find: `${literally(name)}$`});
  },

  table() {
    const rows = this.rows(), {columns: columns_} = this;
    const isByChance = (row) => row.verdict === "same" && row.a_ns_per_s !== row.b_ns_per_s;
    const change = (row) => `${changeOfRow(row)}${row.verdict === null ? " ?" : isByChance(row) ? " ~" : ""}`;
    const table = (text) => ({head: [...columns_.map(([title]) => title), "verdict"],
      rows: rows.map((row) => [...columns_.map((column) => text(column, row)), row.verdict ?? ""])});
    const exact = table(([, , value], row) => value(row));
    if (rows.some((row) => row.a_is_least === "yes" || row.b_is_least === "yes")) {
      exact.head.push("A is least", "B is least");
      rows.forEach((row, i) => exact.rows[i].push(row.a_is_least, row.b_is_least));
    }
    return {...table(([title, , value, text], row) => title === "change" ? change(row) : (text ?? value)(row)), exact};
  },
};
