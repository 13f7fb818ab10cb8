/* Light or dark: the setting of the system, until the user presses the switch. */

const theme = {
  listeners: [],
  colors: new Map(),

  /* The color of a variable of page.css, in a form that a canvas accepts. */
  color(name) {
    if (!this.colors.has(name)) {
      const probe = document.body.appendChild(make("i", {style: `color:var(--${name})`}));
      this.colors.set(name, getComputedStyle(probe).color);
      probe.remove();
    }
    return this.colors.get(name);
  },

  get isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  },

  changed() {
    this.colors.clear();
    const button = byId("theme");
    button.textContent = this.isDark ? "☀" : "☾";
    button.title = this.isDark ? "Light (t)" : "Dark (t)";
    button.ariaLabel = button.title;
    for (const listener of this.listeners) listener();
  },

  set(chosen) {
    document.documentElement.dataset.theme = chosen;
    this.changed();
  },

  toggle() {
    this.set(this.isDark ? "light" : "dark");
    /* Browsers may refuse storage to a page that was opened from a file. */
    try { localStorage.setItem("orca-theme", document.documentElement.dataset.theme); }
    catch { /* the choice is not kept */ }
  },

  start() {
    let kept = null;
    try { kept = localStorage.getItem("orca-theme"); } catch { /* as above */ }
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.changed());
    byId("theme").onclick = () => this.toggle();
    this.changed();
  },
};

const stateColor = (state) => theme.color(`state-${state}`);
