/* The table of methods. An open row shows callers and callees. */

const METHODS_AT_ONCE = 60;

const methods = {
  key: "methods", label: "Methods",
  hints: [["click on a title", "sort"], ["click on a row", "callers and callees"], ["/", "search"]],
  value: "cpu", sort: "self", selected: -1, filter: "", most: METHODS_AT_ONCE,

  build() {
    this.search = make("input", {type: "search", placeholder: "methods (/)", ariaLabel: "Methods", spellcheck: false,
      oninput: () => { this.filter = this.search.value.toLowerCase(); this.most = METHODS_AT_ONCE; this.fill(); }});
    this.values_ = segments("Value", flame.values, this.value, (key) => this.setValue(key));
    this.said = make("output", {ariaLive: "polite"});
    this.head = make("tr", {}, [["self", "in the method itself"], ["total", "with callees"], ["method", ""]]
      .map(([key, title]) => make(key === "method" ? "th" : "th.number", {colSpan: key === "method" ? 1 : 2, id: key},
        make("button.quiet", {type: "button", title, onclick: () => this.sortBy(key)}, key))));
    this.body = make("tbody");
    return make("div.locks", {}, make("div.tools", {}, this.values_, this.search, this.said, copyButtons(this)),
      make("div.card.wide", {}, make("table.locks.methods", {},
        make("colgroup", {}, ["100px", "70px", "100px", "70px", "auto"].map((width) =>
          make("col", {style: `width:${width}`}))),
        make("thead", {}, this.head), this.body)));
  },

  opened() { if (this.tree === undefined) this.setValue(this.value); },

  state() {
    return {value: this.value === "cpu" ? "" : this.value, find: this.search.value,
      sort: this.sort === "self" ? "" : this.sort,
      method: this.selected < 0 ? "" : methodFullName(this.selected)};
  },

  restore({value = "cpu", find = "", sort = "self", method = ""}) {
    this.search.value = find;
    this.filter = find.toLowerCase();
    this.sort = sort;
    this.selected = method === "" ? -1 : data.methods.findIndex((_, i) => methodFullName(i) === method);
    this.values_.choose(flame.values.some(([key]) => key === value) ? value : "cpu");
    this.setValue(flame.values.some(([key]) => key === value) ? value : "cpu");
    this.showOpen();
  },

  showOpen() { this.body.querySelector("tr.open")?.scrollIntoView({block: "nearest"}); },

  setValue(value) {
    this.value = value;
    this.tree = new FlameTree(value, -1);
    this.whole = this.tree.root.total;
    const self = new Map(this.tree.methods()), total = new Map();
    this.tree.visitOutermost((id, method) => total.set(method, (total.get(method) ?? 0) + this.tree.totals[id]));
    this.all = [...total].map(([method, ns]) => ({method, total: ns, self: self.get(method) ?? 0}))
      .filter(({method}) => !isOutsideJava(method) || self.has(method));
    this.fill();
  },

  sortBy(key) { this.sort = key; this.fill(); },

  rows() {
    const by = {self: (a, b) => b.self - a.self || b.total - a.total,
      total: (a, b) => b.total - a.total || b.self - a.self,
      method: (a, b) => byName.compare(methodFullName(a.method), methodFullName(b.method))};
    return this.all.filter(({method}) => methodFullName(method).toLowerCase().includes(this.filter))
      .sort(by[this.sort] ?? by.self);
  },

  fill() {
    const rows = this.rows(), self = rows.reduce((sum, row) => sum + row.self, 0);
    for (const cell of this.head.children) cell.ariaSort = cell.id === this.sort ? "descending" : "none";
    this.said.textContent = `${this.filter === "" ? "" : `${count(rows.length)} of `}${
      many(this.all.length, "method", "methods")}, ${time(self)}${
      this.filter === "" ? "" : `, ${share(self, this.whole)} of all`}`;
    const shown = rows.slice(0, this.most).flatMap((row) =>
      row.method === this.selected ? [this.row(row), this.details(row.method)] : [this.row(row)]);
    if (rows.length > this.most) {
      shown.push(make("tr", {}, make("td", {colSpan: 5}, make("button", {
        type: "button", onclick: () => { this.most += 500; this.fill(); }},
        `Show ${count(Math.min(500, rows.length - this.most))} of ${count(rows.length - this.most)} more`))));
    }
    if (rows.length === 0) {
      shown.push(make("tr", {}, make("td.note", {colSpan: 5}, this.all.length === 0
        ? "There is nothing of this kind." : "No method matches.")));
    }
    this.body.replaceChildren(...shown);
    app.note();
  },

  row({method, self, total}) {
    const open = this.selected === method, toggle = () => this.select(open ? -1 : method);
    return make(open ? "tr.link.open" : "tr.link", {tabIndex: 0, ariaExpanded: String(open), onclick: toggle,
      onkeydown: (event) => { if (event.key === "Enter") toggle(); }},
      make("td.number", {}, time(self)), make("td.number.note", {}, share(self, this.whole)),
      make("td.number", {}, time(total)), make("td.number.note", {}, share(total, this.whole)),
      make("td.clip", {title: methodFullName(method)}, methodName(method)));
  },

  select(method) {
    this.selected = method;
    this.fill();
    this.showOpen();
  },

  /* The times of the callers of a method (-1: none) and of its callees, [[method, time]], the longest first. */
  relatives(method) {
    const callers = new Map(), callees = new Map(), {totals, selfs} = this.tree, {parent, num} = flameNodes;
    const add = (map, key, ns) => { if (ns > 0) map.set(key, (map.get(key) ?? 0) + ns); };
    this.tree.visitOutermost((id, own) => {
      if (own === method) add(callers, flameNodes.method[parent[id]], totals[id]);
    });
    for (let id = 3; id < num; id++) {
      if (flameNodes.method[id] === method) add(callees, method, selfs[id]);
      else if (flameNodes.method[parent[id]] === method) add(callees, flameNodes.method[id], totals[id]);
    }
    const sorted = (map) => [...map].sort(([, a], [, b]) => b - a);
    return {callers: sorted(callers), callees: sorted(callees)};
  },

  details(method) {
    const {callers, callees} = this.relatives(method);
    const name = (own) => own < 0 ? "(no caller)" : own === method ? "in the method itself" : methodName(own);
    const color = this.value === "blocked" ? "blocked" : "cpu";
    const list = (title, rows) => {
      const whole = rows.reduce((sum, [, ns]) => sum + ns, 0);
      return make("section", {}, make("h3", {}, title), rows.length === 0 ? make("p.note", {}, "None.") :
        make("table.plain", {}, make("tbody", {}, rows.slice(0, 12).map(([own, ns]) =>
          make(own < 0 || own === method ? "tr" : "tr.link", {onclick: (event) => {
            event.stopPropagation();
            if (own < 0 || own === method) return;
            this.search.value = this.filter = "";
            this.most = Infinity;
            this.select(own);
          }}, make("td.clip", {title: own < 0 ? "" : methodFullName(own)}, name(own)),
          make("td.number", {}, time(ns)), make("td.bar", {}, bar(ns, whole, color)))))));
    };
    return make("tr.details", {}, make("td", {colSpan: 5}, make("p", {}, make("b", {}, methodFullName(method)), " ",
      make("button", {type: "button", onclick: () => this.showInFlame(method)}, "Flame graph")),
      make("div.columns", {}, list("Callers", callers), list("Callees", callees))));
  },

  showInFlame(method) {
    openView("flame");
    flame.values_.choose(this.value);
    flame.setValue(this.value);
    flame.findMethod(method);
  },

  table() {
    const rows = this.rows(), head = ["self", "share", "total", "share of total", "method"];
    return {head, rows: rows.map(({method, self, total}) =>
      [time(self), share(self, this.whole), time(total), share(total, this.whole), methodFullName(method)]),
    exact: {head: ["self", "total", "method"],
      rows: rows.map(({method, self, total}) => [self, total, methodFullName(method)])}};
  },
};
