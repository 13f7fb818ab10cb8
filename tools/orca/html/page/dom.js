/* Creates elements. Text is always inserted as text, never as HTML, because names can contain anything. */

/* make("button.quiet", {title: "…", onclick: f}, child, …): children are elements or text. */
function make(what, properties = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/* The same for SVG. Every property becomes an attribute. */
function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const byId = (id) => document.getElementById(id);

/* A row of buttons, one of which is pressed. `choices`: [[key, label, title]]. */
function segments(label, choices, chosen, onchoice) {
  const buttons = choices.map(([key, text, title]) => make("button", {
    type: "button", title: title ?? "", ariaPressed: String(key === chosen),
    onclick: () => {
      box.choose(key);
      onchoice(key);
    },
  }, text));
  const box = make("div.segments", {role: "group", ariaLabel: label}, buttons);
  box.choose = (chosen_) => { /* without onchoice */
    buttons.forEach((b, i) => { b.ariaPressed = String(choices[i][0] === chosen_); });
  };
  return box;
}

/* A share as a bar. */
function bar(part, whole, className = "") {
  const fill = make("span", {style: `width:${part === 0 ? 0 : Math.max(0.5, 100 * part / whole)}%`});
  if (className !== "") fill.className = className;
  return make("span.share", {}, fill);
}

/* A canvas with the size of its box. `paint` draws it in CSS pixels, at most once per frame. */
class Surface {
  constructor(box, paint) {
    this.canvas = make("canvas");
    this.context = this.canvas.getContext("2d");
    this.paint = paint;
    this.width = this.height = 0;
    this.pending = false;
    box.append(this.canvas);
    new ResizeObserver(() => this.fit(box)).observe(box);
  }

  fit(box) {
    const scale = window.devicePixelRatio || 1;
    const width = box.clientWidth, height = Math.min(box.clientHeight, 16000); /* limit of browsers */
    if (width === 0 || height === 0) return;
    this.width = width;
    this.height = height;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.pending = false;
    this.paint();
  }

  repaint() {
    if (this.pending || this.width === 0) return;
    this.pending = true;
    requestAnimationFrame(() => {
      if (!this.pending) return;
      this.pending = false;
      this.paint();
    });
  }
}
