/* Copies what a view shows, as text or as CSV. A view has `table()`: {head: [title], rows: [[text]]}. */

function asCsv({head, rows}) {
  const cell = (text) => /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  return [head, ...rows].map((row) => row.map((text) => cell(String(text))).join(",")).join("\n") + "\n";
}

/* Columns of equal width. Numbers are at the right. */
function asText({head, rows}) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, i) => all.reduce((most, row) => Math.max(most, [...row[i]].length), 0));
  const isNumber = head.map((_, i) => rows.every((row) => /^([<>]?\d|[≤≥] \d|-|–|$)/.test(String(row[i]))));
  return all.map((row) => row.map((text, i) => {
    const blanks = " ".repeat(widths[i] - [...text].length);
    return isNumber[i] ? blanks + text : text + blanks;
  }).join("  ").trimEnd()).join("\n") + "\n";
}

async function copyToClipboard(text) {
  try { await navigator.clipboard.writeText(text); }
  catch { /* a browser may refuse it to a page from a file */
    const area = document.body.appendChild(make("textarea", {value: text}));
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

function copyButtons(view) {
  const button = (label, title, write) => {
    const self = make("button", {type: "button", title, onclick: async () => {
      copy.last = write(view.table());
      await copyToClipboard(copy.last);
      self.textContent = "Copied";
      setTimeout(() => { self.textContent = label; }, 1200);
    }}, label);
    return self;
  };
  return make("div.segments.copy", {}, button("Copy", "Copy what is shown as text", asText),
    button("CSV", "Copy what is shown as CSV; durations are nanoseconds", (table) => asCsv(table.exact ?? table)));
}

const copy = {last: ""};
