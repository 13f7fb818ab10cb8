/* The first view: the findings in sentences, then how the threads spent their time. */

const overview = {
  key: "overview", label: "Overview", hints: [],

  build() {
    return make("div.overview", {},
      make("section.card.words", {}, make("h2", {}, "In short"), this.verdicts()),
      make("div.columns", {},
        make("section.card", {}, make("h2", {}, "Where the threads spent their time"), this.states(), this.owners()),
        make("section.card", {}, make("h2", {}, "The recording"), facts(data.facts))),
      make("div.columns", {},
        make("section.card", {}, make("h2", {}, "Methods by CPU time"), this.methods()),
        make("section.card", {}, make("h2", {}, "Locks, worst first"), this.locks())),
      make("section.card.losses", {}, make("h2", {}, "What is missing or not sure"), this.losses()));
  },

  verdicts() {
    return make("ul.verdicts", {}, data.verdicts.map((text) => {
      const bad = /^(DEADLOCK|Stuck|Nothing moved)/.test(text);
      return make(bad ? "li.bad" : "li", {}, this.withLinks(text));
    }));
  },

  /* Makes the locks, threads and places of a sentence links to the views that show them. */
  withLinks(text) {
    const targets = new Map(), add = (name, title, go) => {
      if (name.length > 2 && text.includes(name) && !targets.has(name)) targets.set(name, {title, go});
    };
    for (const lock of data.locks.rows) {
      const go = () => { openView("locks"); locks.select(lock); }, name = objectName(lock.object);
      add(name, "Its waiters and holders", go);
      add(withoutPackage(name), "Its waiters and holders", go);
      add(/[^\s(]+@[0-9A-F]{8}/.exec(name)?.[0] ?? "", "Its waiters and holders", go); /* a title has it in brackets */
    }
    for (const [place, name] of text.matchAll(/([\w$.<>]+) \([\w$-]+\.\w+:\d+\)/g)) {
      const method = data.methods.findIndex((other) => other.name === name);
      if (method >= 0) add(place, "Its flame graph", () => this.showMethod(method, text));
    }
    for (let thread = 0; thread < data.threads.length; thread++)
      add(threadName(thread), "Its time", () => timeline.showInSight(thread));
    if (targets.size === 0) return this.withFigures(text);
    const names = [...targets.keys()].sort((a, b) => b.length - a.length)
      .map(literally);
    return text.split(new RegExp(`(?<![\\w-])(${names.join("|")})(?![\\w…-])`)).flatMap((piece, i) =>
      i % 2 === 0 ? this.withFigures(piece)
        : [make("a.inside", {title: targets.get(piece).title, href: "#", onclick: (event) => {
          event.preventDefault();
          targets.get(piece).go();
        }}, piece)]);
  },

  /* Shows a method in the flame graph of the value that the sentence is about. */
  showMethod(method, text) {
    openView("flame");
    const values = /CPU/.test(text) ? ["cpu", "wall", "blocked", "waits"] : ["blocked", "waits", "wall", "cpu"];
    const has = (value) => new FlameTree(value, -1).timedMethods.has(method);
    const value = values.find(has) ?? "cpu";
    flame.values_.choose(value);
    flame.thread = -1;
    flame.threads.value = -1;
    flame.part = null;
    flame.setValue(value);
    flame.findMethod(method);
  },

  /* Makes numbers with units bold; of "143 of 400 times" the first number, which is the finding. */
  withFigures(text) {
    const unit = "\\s(?:%|s|ms|µs|ns|min \\d\\d s|h \\d\\d min|times?|threads?|CPUs(?= more| less))(?![\\wµ])";
    const figure = `(?<![\\w.,-])[<>]?\\d[\\d,.]*`;
    return text
      .split(new RegExp(`(${figure}(?:${unit})?(?= of \\d)|(?<! of )${figure}${unit}|DEADLOCK)`))
      .map((piece, i) => i % 2 === 1 ? make("b", {}, piece.replace(/\s/g, "\u00a0")) : piece);
  },

  losses() {
    const left = this.leftOut();
    const losses = left.length > 0 ? data.losses.filter((text) => text !== "Nothing.") : data.losses;
    return make("ul", {}, [...losses, ...left].map((text) => make("li", {}, text)));
  },

  /* Sentences about the data that the page leaves out. */
  leftOut() {
    const {log, timeline, locks, profile} = data, said = [];
    if (!log.whole) {
      said.push(`This page contains ${logContents()}`);
    }
    if (timeline.rows.some((row) => row.step > 0)) {
      said.push("Threads that change their state very often are drawn in steps: " +
        "a step shows the time in each state, but not the order.");
    }
    if (timeline.left > 0)
      said.push(
        `The timeline leaves out ${many(timeline.left, "thread", "threads")} with little CPU time and few waits.`);
    if (timeline.arrowsLeft > 0)
      said.push(`The timeline draws only the ${count(timeline.arrows.num)} longest waits for locks as arrows.`);
    if (locks.left > 0)
      said.push(`The table of locks leaves out ${many(locks.left, "lock", "locks")} with the least blocked time.`);
    if (Object.values(profile.left).some((ns) => ns > 0) || data.framesCut)
      said.push("Stacks with very little time are left out of the flame graph.");
    return said;
  },

  /* One bar with the shares of all states, and a table that is its legend. */
  states() {
    const sums = data.timeline.states.map(() => 0);
    for (const row of data.timeline.rows) row.sums.forEach((ns, state) => { sums[state] += ns; });
    const whole = sums.reduce((a, b) => a + b, 0);
    const shown = sums.map((ns, state) => ({ns, state})).filter(({ns}) => ns > 0);
    const parts = shown.map(({ns, state}) => make("span", {
      title: `${stateName(state)}: ${time(ns)}`,
      style: `flex-grow:${ns / whole};background:var(--state-${state})`,
    }));
    const rows = shown.sort((a, b) => b.ns - a.ns).map(({ns, state}) =>
      make("tr", {title: data.timeline.states[state].meaning},
      make("td", {}, make("i", {style: `background:var(--state-${state})`}), stateName(state)),
      make("td.number", {}, share(ns, whole)), make("td.number", {}, time(ns))));
    return make("div", {}, make("div.states", {}, parts), make("table.plain", {}, make("tbody", {}, rows)));
  },

  /* The CPU time of the whole process. */
  owners() {
    if (data.process === null) return null;
    const rows = data.process.owners.filter(({cpu}) => cpu > 0).sort((a, b) => b.cpu - a.cpu);
    const whole = rows.reduce((sum, {cpu}) => sum + cpu, 0);
    return make("div", {}, make("h3", {}, "CPU time of the whole process"),
      make("table.plain", {}, make("tbody", {}, rows.map(({name, cpu}) => make("tr", {}, make("td", {}, name),
        make("td.number", {}, share(cpu, whole)), make("td.number", {}, time(cpu)))))));
  },

  methods() {
    const rows = new FlameTree("cpu", -1).methods().sort(([, a], [, b]) => b - a).slice(0, 8);
    if (rows.length === 0) return make("p.note", {}, "No sample found a running thread.");
    return make("table.plain", {}, make("tbody", {}, rows.map(([method, ns]) => make("tr.link", {
      title: `Find ${methodFullName(method)} in the flame graph`,
      onclick: () => { openView("flame"); flame.find(methodName(method)); },
    }, make("td.clip", {}, methodName(method)), make("td.number", {}, share(ns, data.cpu)),
      make("td.number", {}, time(ns)), make("td.bar", {}, bar(ns, data.cpu, "cpu"))))));
  },

  locks() {
    const rows = data.locks.rows.filter((lock) => lock.blocked > 0).slice(0, 8);
    const isSure = data.locks.rows.every((lock) => lock.shortCalls === undefined);
    if (rows.length === 0)
      return make("p.note", {}, `No thread ${isSure ? "waited" : "is known to have waited"} for a lock.`);
    return make("table.plain", {}, make("tbody", {}, rows.map((lock) => make("tr.link", {
      title: `${lockName(lock)}: who was blocked, who held it`,
      onclick: () => { openView("locks"); locks.select(lock); },
    }, make("td.clip", {}, withoutPackage(lockName(lock)), make("span.note", {}, ` ${lock.sort}`)),
      make("td.number", {}, `${waitedMark(lock)}${count(lock.waited)} ×`),
      make("td.number", {}, blockedMark(lock) + time(lock.blocked)),
      make("td.bar", {}, bar(lock.blocked, data.blocked, "blocked"))))));
  },
};
