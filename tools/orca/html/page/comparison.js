/* What differs between the two recordings of a page: html/data.h. null: the page has one recording. */

const comparison = JSON.parse(byId("comparison").textContent);

/* The verdicts as in enum diff_verdict. */
const VERDICTS = ["same", "more", "less", "new", "gone"];
const verdictWords = {same: "no change beyond chance", more: "more in B", less: "less in B", new: "only in B",
  gone: "only in A"};

const comparedLength = (side) => comparison.lengths[side];

/* Figures of a row, in each second of a recording; ≥: more of it is in the row of several objects. */
const isLeast = (row, side) => row[`${side}_is_least`] === "yes";
const rateText = (row, side) => leastMark(isLeast(row, side)) + time(row[`${side}_ns_per_s`]);

/* More time in A makes the change less, more in B makes it greater. */
const changeMark = (row) => isLeast(row, "a") ? (isLeast(row, "b") ? "? " : "≤ ") : leastMark(isLeast(row, "b"));
const changeOfRow = (row) => changeMark(row) + changeOfTime(row.b_ns_per_s - row.a_ns_per_s);

if (comparison !== null) {
  const {stacks} = comparison, values = ["cpu", "wall", "blocked", "waits"];
  /* The number of a lambda's class differs from run to run. Lambdas of a class are one frame. */
  const withoutNumber = (text) => text.replace(/\$\$Lambda.*?(?=\.[^.]*$|$)/, "$$$$Lambda");
  stacks.methods = stacks.methods.map(([name, className]) =>
    ({name: withoutNumber(name), className: className.replace(/\$\$Lambda.*$/, "$$$$Lambda")}));
  stacks.nodes = columns(stacks.nodes, "parent", "method",
    ...values.flatMap((value) => [`${value}A`, `${value}B`, `${value}Verdicts`]));
}

/* The color of a change: "more-1" … "more-3", "less-1" … "less-3", "same". The number grows with the share of the
   larger value that the change is. */
function changeColor(a, b, verdict) {
  if (verdict === "same") return "same";
  const part = Math.abs(b - a) / Math.max(a, b);
  return `${b > a ? "more" : "less"}-${part < 0.25 ? 1 : part < 0.6 ? 2 : 3}`;
}

/* "+12.3 ms", "−1.25 s", "0 s" */
const changeOfTime = (change) => change === 0 ? time(0) : `${change > 0 ? "+" : "−"}${time(Math.abs(change))}`;

/* A cell with a change, colored if it is more than chance. A verdict of null is not known. */
function changeCell(text, row, a, b) {
  const mark = row.verdict === null ? "?" : {new: "new", gone: "gone", same: a === b ? "" : "~"}[row.verdict] ?? "";
  const kind = row.verdict === null || row.verdict === "same" ? "note" : b > a ? "more" : "less";
  const unknown = "not known: the time may be among that of several objects";
  const words = row.verdict === null ? unknown : verdictWords[row.verdict];
  return make(`td.number.${kind}`, {title: a === b ? "" : words}, text,
    make("span.mark", {}, mark));
}
