/* The page shows one view at a time. A view is built when it is first opened. */

const app = {
  views: [overview, flame, timeline, locks, graph, log],
  sections: new Map(),
  current: null,

  start() {
    const texts = new Map(data.facts), fact = (label) => texts.get(label) ?? "";
    const command = fact("Command"), part = fact("Shown");
    const name = data.prefix.slice(data.prefix.lastIndexOf("/") + 1);
    document.title = `${name} – Orca`;
    byId("run").replaceChildren(make("bdi", {dir: "ltr"}, part === "" ? command : `part of ${command}`));
    byId("run").title = part === "" ? command : `${command}\n${part}`;
    document.querySelector(".tabs").replaceChildren(...this.views.map((view, i) => make("a", {
      href: `#${view.key}`, role: "tab", id: `tab-${view.key}`, title: `${view.label} (${i + 1})`}, view.label)));
    theme.start();
    byId("help").onclick = () => this.help();
    document.addEventListener("keydown", (event) => this.onkey(event));
    window.addEventListener("hashchange", () => this.open(location.hash.slice(1)));
    this.open(location.hash.slice(1));
    document.documentElement.dataset.ready = "true";
  },

  open(key) {
    const view = this.views.find((v) => v.key === key) ?? overview;
    if (view === this.current) return;
    this.current = view;
    tooltip.hide();
    drawer.hide();
    if (!this.sections.has(view)) {
      this.sections.set(view, byId("main").appendChild(
        make("section.view", {id: `view-${view.key}`, ariaLabel: view.label}, view.build())));
    }
    for (const [other, section] of this.sections) section.hidden = other !== view;
    for (const tab of document.querySelectorAll(".tabs a")) tab.ariaSelected = String(tab.id === `tab-${view.key}`);
    byId(`tab-${view.key}`).scrollIntoView({block: "nearest", inline: "nearest"});
    if (location.hash.slice(1) !== view.key) history.replaceState(null, "", `#${view.key}`);
    view.opened?.();
  },

  onkey(event) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox";
    if (event.key === "Escape") {
      if (typing) { event.target.value === "" ? event.target.blur() : this.clear(event.target); }
      else if (drawer.isOpen) drawer.hide();
      tooltip.hide();
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") this.help();
    else if (event.key === "t") theme.toggle();
    else if (event.key === "/" && this.current.search) this.current.search.focus();
    else if (event.key >= "1" && event.key <= String(this.views.length)) this.open(this.views[event.key - 1].key);
    else return;
    event.preventDefault();
  },

  clear(input) {
    input.value = "";
    input.dispatchEvent(new Event("input"));
  },

  help() {
    const rows = [["1 … 6", "the views"], ["t", "light, dark"], ["Esc", "close"], ...this.current.hints];
    const dialog = byId("keys");
    dialog.replaceChildren(make("h2", {}, "Keys"), facts(rows),
      make("form", {method: "dialog"}, make("button", {}, "Close")));
    dialog.showModal();
  },
};

/* For scripts that inspect the page, such as tests. */
window.orca = {data, app, overview, flame, timeline, locks, graph, log, theme};

app.start();
