/* The tooltip beside the pointer, and the drawer on the right. The page has one of each. */

const tooltip = {
  /* `rows`: [[label, text]]; [[text]] is a paragraph. */
  show(event, title, rows, color) {
    const box = byId("tooltip");
    const head = make("strong", {}, color === undefined ? null : make("i", {style: `background:${color}`}), title);
    box.replaceChildren(head, ...rows.map(([label, text]) => text === undefined
      ? make("p", {}, label)
      : make("div", {}, make("span", {}, label), make("b", {}, text))));
    box.hidden = false;
    const room = 14, width = box.offsetWidth, height = box.offsetHeight;
    const left = event.clientX + room + width > innerWidth ? event.clientX - room - width : event.clientX + room;
    const top = event.clientY + room + height > innerHeight ? event.clientY - room - height : event.clientY + room;
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${Math.max(4, top)}px`;
  },

  hide() { byId("tooltip").hidden = true; },
};

const drawer = {
  get isOpen() { return !byId("drawer").hidden; },

  show(title, ...children) {
    const box = byId("drawer");
    box.replaceChildren(
      make("div.drawer-head", {}, make("h2", {}, title),
        make("button.quiet", {type: "button", title: "Close (Esc)", ariaLabel: "Close", onclick: drawer.hide}, "×")),
      ...children.filter((child) => child !== null));
    box.hidden = false;
  },

  hide() { byId("drawer").hidden = true; },
};

/* A list. `rows`: [[label, text]]. */
const facts = (rows) => make("dl.facts", {},
  rows.flatMap(([label, text]) => [make("dt", {}, label), make("dd", {}, text)]));
