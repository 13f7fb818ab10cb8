/* The first view of a comparison: what changed, in the words of `orca diff`. */

const changes = {
  key: "changes", label: "Changes", hints: [["click on a row", "the method or the lock in both recordings"]],

  build() {
    const {not_comparable: reasons} = comparison, text = comparison.verdicts.filter((one) => !/^~ /.test(one));
    const meaning = comparison.verdicts.filter((one) => /^~ /.test(one));
    return make("div.overview", {},
      make("section.card.words", {}, make("h2", {}, "What changed from A to B"),
        make("ul.verdicts", {}, text.map((one) => make("li", {}, recordings[1].overview.withLinks(one)))),
        meaning.map((one) => make("p.note", {}, one))),
      reasons.length === 0 ? null : make("section.card.losses", {}, make("h2", {}, "What cannot be compared"),
        make("ul", {}, reasons.map((one) => make("li", {}, one)))),
      make("div.columns", {},
        make("section.card", {}, make("h2", {}, "Methods by change of their own CPU time, in a second of run"),
          this.rows(comparison.methods, "method")),
        make("section.card", {}, make("h2", {}, "Locks by change of their blocked time, in a second of run"),
          this.rows(comparison.locks, "lock"))),
      make("div.columns", {},
        make("section.card", {}, make("h2", {}, "All in all, on average"), this.totals()),
        make("section.card", {}, make("h2", {}, "The recordings"), this.runs())));
  },

  table(head, rows) {
    return make("table.plain.compared", {}, make("thead", {}, make("tr", {}, head.map((title, i) =>
      make(i === 0 ? "th" : "th.number", {}, title)))), make("tbody", {}, rows));
  },

  /* The largest changes of a table. */
  rows(all, key) {
    const rows = all.slice(0, 8), part = key === "lock" ? "locks" : "methods";
    if (rows.length === 0) return make("p.note", {}, "Neither recording has any.");
    return this.table(["", "A", "B", "change"], rows.map((row) => make("tr.link", {
      title: row.main_place, onclick: () => comparedTables.follow(part, row)},
      make("td.clip", {}, ...key === "lock" ? [shortLock(row.lock), make("span.note", {}, ` at ${methodOfPlace(row)}`)]
        : [row.method]),
      make("td.number", {}, rateText(row, "a")), make("td.number", {}, rateText(row, "b")),
      changeCell(changeOfRow(row), row, row.a_ns_per_s, row.b_ns_per_s))));
  },

  totals() {
    const number = (n) => n.toFixed(2), perSecond = (row, side) => row[side] / comparedLength("ab".indexOf(side));
    const kinds = {length_ns: ["length", (row, side) => time(row[side])],
      cpu_ns: ["CPUs busy", (row, side) => number(perSecond(row, side))],
      blocked_ns: ["threads blocked", (row, side) => number(perSecond(row, side))],
      waiting_ns: ["threads in waits", (row, side) => number(perSecond(row, side))],
      threads: ["threads", (row, side) => count(row[side])],
      events: ["events in a second", (row, side) => count(Math.floor(perSecond(row, side) * 1e9))]};
    return this.table(["", "A", "B", "change"], comparison.totals.map((row) => {
      const [label, text] = kinds[row.what], judged = row.verdict !== null, change = judged
        ? perSecond(row, "b") - perSecond(row, "a") : 0;
      return make("tr", {}, make("td.clip", {}, label), make("td.number", {}, text(row, "a")),
        make("td.number", {}, text(row, "b")), !judged ? make("td.number", {}, "") :
          changeCell(`${change < 0 ? "−" : "+"}${number(Math.abs(change))}`, row, perSecond(row, "a"),
            perSecond(row, "b")));
    }));
  },

  /* The facts of both recordings, side by side. */
  runs() {
    const texts = recordings.map(({data}) => new Map([["Files", data.prefix], ...data.facts]));
    const labels = [...new Set(texts.flatMap((facts_) => [...facts_.keys()]))];
    return make("dl.facts.both", {}, labels.flatMap((label) => {
      const [a, b] = texts.map((facts_) => facts_.get(label) ?? dash);
      return [make("dt", {}, label), ...a === b ? [make("dd.same", {}, a)] : [make("dd", {}, a), make("dd", {}, b)]];
    }));
  },
};
