/* The page shows one view at a time. A view is built when it is first opened. */

function decodeOrKeep(text) {
  try { return decodeURIComponent(text); }
  catch { return text; /* a broken address */ }
}

const app = {
  views: [overview, flame, methods, timeline, locks, graph, log],
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
    window.addEventListener("hashchange", () => this.follow());
    this.follow();
    document.documentElement.dataset.ready = "true";
  },

  /* --- the address: #timeline&from=…&to=… ------------------------------------------------ */

  /* Opens the view of the address, in the state of the address if it has one. */
  follow() {
    const [key, ...parts] = location.hash.slice(1).split("&");
    const state = Object.fromEntries(parts.map((part) => part.split("=").map(decodeOrKeep)));
    this.open(key);
    if (parts.length > 0) this.current.restore?.(state);
  },

  /* Writes the state of the view into the address, when nothing has changed for a moment. */
  note() {
    clearTimeout(this.noting);
    this.noting = setTimeout(() => this.writeAddress(), 150);
  },

  writeAddress() {
    const state = Object.entries(this.current.state?.() ?? {}).filter(([, value]) => value !== "");
    const text = [this.current.key, ...state.map(([key, value]) => `${key}=${encodeURIComponent(value)}`)].join("&");
    if (location.hash.slice(1) !== text) history.replaceState(null, "", `#${text}`);
  },

  /* --- views ---------------------------------------------------------------------------- */

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
    if (location.hash.slice(1).split("&")[0] !== view.key) history.replaceState(null, "", `#${view.key}`);
    view.opened?.();
    this.note();
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
    const rows = [[`1 … ${this.views.length}`, "the views"], ["t", "light, dark"], ["Esc", "close"],
      ...this.current.hints];
    const dialog = byId("keys");
    dialog.replaceChildren(make("h2", {}, "Keys"), facts(rows),
      make("form", {method: "dialog"}, make("button", {}, "Close")));
    dialog.showModal();
  },
};

/* For scripts that inspect the page, such as tests. */
window.orca = {data, app, overview, flame, methods, timeline, locks, graph, log, copy, theme};

app.start();
