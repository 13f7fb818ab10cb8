/* The page shows one view at a time. A view is built when it is first opened. A page of two recordings has the views of
   both, of which the switch in the bar chooses one, and before them those of the comparison. */

function decodeOrKeep(text) {
  try { return decodeURIComponent(text); }
  catch { return text; /* a broken address */ }
}

const recordings = [JSON.parse(byId("data").textContent)].flat().map(openRecording);

/* "shop" of /tmp/shop */
const nameOfRun = ({data: {prefix}}) => prefix.slice(prefix.lastIndexOf("/") + 1);

const app = {
  compared: comparison === null ? [] : [changes, comparedFlame, comparedTables],
  side: recordings.length - 1, /* the recording that is shown */
  sections: new Map(),
  current: null,

  /* All views that have a tab. */
  get views() { return [...this.compared, ...recordings[this.side].views]; },

  start() {
    document.title = `${recordings.map(nameOfRun).join(" → ")} – Orca`;
    const tab = (view, i) => make("a", {href: `#${view.key}`, role: "tab", id: `tab-${view.key}`,
      title: i < 10 ? `${view.label} (${(i + 1) % 10})` : view.label}, view.label);
    const tabs = this.views.map(tab);
    if (comparison !== null) tabs.splice(this.compared.length, 0, this.sideSwitch());
    document.querySelector(".tabs").replaceChildren(...tabs);
    document.querySelector(".bar .name").href = `#${this.views[0].key}`;
    theme.start();
    byId("help").onclick = () => this.help();
    document.addEventListener("keydown", (event) => this.onkey(event));
    window.addEventListener("hashchange", () => this.follow());
    this.follow();
    document.documentElement.dataset.ready = "true";
  },

  /* --- two recordings -------------------------------------------------------------------- */

  sideSwitch() {
    this.sides = segments("Recording of the views on the right",
      ["A before", "B after"].map((label, i) => [i, label, recordings[i].data.prefix]), this.side,
      (side) => this.setSide(side));
    return this.sides;
  },

  changeSide(side) {
    this.side = side;
    this.sides.choose(side);
    for (const view of this.views) byId(`tab-${view.key}`).href = `#${this.addressOf(view)}`;
  },

  /* Shows the same view of the other recording, searched and sorted in the same way. */
  setSide(side) {
    const isCompared = this.compared.includes(this.current), shared = this.sharedState();
    this.open(isCompared ? "overview" : this.current.key, side);
    if (!isCompared && JSON.stringify(shared) !== JSON.stringify(this.sharedState())) this.current.restore?.(shared);
  },

  /* The part of the view's state that means the same in both recordings. */
  sharedState() {
    const {find, value, sort, up, order, when, events} = this.current.state?.() ?? {};
    return {find, value, sort, up, order, when, events};
  },

  /* Writes the command of the recording that is shown. Of two recordings there is room only for the name. */
  showRun() {
    const isCompared = this.compared.includes(this.current), recording = recordings[this.side];
    const texts = new Map(recording.data.facts), fact = (label) => texts.get(label) ?? "";
    const command = fact("Command"), part = fact("Shown");
    const text = comparison === null ? command : isCompared ? "" : nameOfRun(recording);
    byId("run").replaceChildren(make("bdi", {dir: "ltr"}, part === "" || isCompared ? text : `part of ${text}`));
    byId("run").title = isCompared ? "" : part === "" ? command : `${command}\n${part}`;
    this.sides?.classList.toggle("off", isCompared);
  },

  /* --- the address: #timeline&from=…&to=… ------------------------------------------------ */

  /* Opens the view of the address, in the state of the address if it has one. */
  follow() {
    const [key, ...parts] = location.hash.slice(1).split("&");
    const {side, ...state} = Object.fromEntries(parts.map((part) => part.split("=").map(decodeOrKeep)));
    this.open(key, comparison !== null && side === "A" ? 0 : recordings.length - 1);
    if (Object.keys(state).length > 0) this.current.restore?.(state);
  },

  /* Writes the state of the view into the address, when nothing has changed for a moment. */
  note() {
    clearTimeout(this.noting);
    this.noting = setTimeout(() => this.writeAddress(), 150);
  },

  writeAddress() {
    const state = Object.entries(this.current.state?.() ?? {}).filter(([, value]) => value !== "");
    const text = [this.addressOf(this.current),
      ...state.map(([key, value]) => `${key}=${encodeURIComponent(value)}`)].join("&");
    if (location.hash.slice(1) !== text) history.replaceState(null, "", `#${text}`);
  },

  /* The key of a view, and which recording it shows. */
  addressOf(view) {
    const isBefore = comparison !== null && recordings[0].views.includes(view);
    return isBefore ? `${view.key}&side=A` : view.key;
  },

  /* --- views ---------------------------------------------------------------------------- */

  open(key, side = this.side) {
    if (side !== this.side) this.changeSide(side);
    const view = this.views.find((v) => v.key === key) ?? this.views[0];
    if (view === this.current) return;
    this.current = view;
    tooltip.hide();
    drawer.hide();
    if (!this.sections.has(view)) {
      this.sections.set(view, byId("main").appendChild(
        make("section.view", {id: this.sectionId(view), ariaLabel: view.label}, view.build())));
    }
    for (const [other, section] of this.sections) section.hidden = other !== view;
    for (const tab of document.querySelectorAll(".tabs a")) tab.ariaSelected = String(tab.id === `tab-${view.key}`);
    byId(`tab-${view.key}`).scrollIntoView({block: "nearest", inline: "nearest"});
    if (location.hash.slice(1).split("&")[0] !== view.key) history.replaceState(null, "", `#${this.addressOf(view)}`);
    this.showRun();
    view.opened?.();
    this.note();
  },

  sectionId(view) { return `view-${this.addressOf(view).replace("&side=", "-")}`; },

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
    else if (/^\d$/.test(event.key) && this.viewOfDigit(event.key) !== undefined)
      this.open(this.viewOfDigit(event.key).key);
    else return;
    event.preventDefault();
  },

  /* 0 is the tenth view. */
  viewOfDigit(digit) { return this.views[(Number(digit) + 9) % 10]; },

  clear(input) {
    input.value = "";
    input.dispatchEvent(new Event("input"));
  },

  help() {
    const rows = [[`1 … ${this.views.length % 10}`, "the views"], ["t", "light, dark"], ["Esc", "close"],
      ...this.current.hints];
    const dialog = byId("keys");
    dialog.replaceChildren(make("h2", {}, "Keys"), facts(rows),
      make("p.note", {}, "docs/reading-the-page.md explains each view."),
      make("form", {method: "dialog"}, make("button", {}, "Close")));
    dialog.showModal();
  },
};

/* For scripts that inspect the page, such as tests. */
window.orca = {...recordings[recordings.length - 1], app, changes, comparison, comparedFlame, comparedTables, copy,
  recordings, theme};

app.start();
