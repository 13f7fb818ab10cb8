/* Numbers in the same spelling as in `orca report`. */

function threeDigits(n, unit) {
  return `${n.toFixed(n < 9.995 ? 2 : n < 99.95 ? 1 : 0)} ${unit}`;
}

const twoDigits = (n) => String(n).padStart(2, "0");

/* A duration in nanoseconds: "950 µs", "12.3 ms", "1.25 s", "3 min 05 s", "2 h 03 min". */
function time(ns) {
  if (ns === 0) return "0 s";
  if (ns < 1e3) return `${Math.round(ns)} ns`;
  if (ns < 999.5e3) return threeDigits(ns / 1e3, "µs");
  if (ns < 999.5e6) return threeDigits(ns / 1e6, "ms");
  if (ns < 59.95e9) return threeDigits(ns / 1e9, "s");
  const s = Math.round(ns / 1e9), minutes = Math.round(s / 60), hours = Math.round(s / 3600);
  if (s < 3600) return `${Math.floor(s / 60)} min ${twoDigits(s % 60)} s`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${twoDigits(hours % 24)} h`;
}

/* A time in seconds since the start, with the decimals that a precision in nanoseconds needs. */
function moment(ns, precision = 1e5) {
  const decimals = Math.min(9, Math.max(0, 9 - Math.floor(Math.log10(Math.max(1, precision)))));
  return `${(ns / 1e9).toFixed(decimals)} s`;
}

const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

const many = (n, one, more) => `${count(n)} ${n === 1 ? one : more}`;

/* "62 %", "4.1 %", "<0.1 %", ">99 %"; "-" if `whole` is 0. */
function share(part, whole) {
  if (whole === 0) return "-";
  const percent = 100 * part / whole;
  if (part < whole && percent >= 99.5) return ">99 %";
  if (part > 0 && percent < 0.05) return "<0.1 %";
  return `${percent.toFixed(part > 0 && percent < 9.95 ? 1 : 0)} %`;
}

/* The text, cut in the middle if it is wider than `room` pixels: names of threads differ at both ends. */
const textWidths = new Map();
const textMeter = document.createElement("canvas").getContext("2d");
function cutInMiddle(text, room) {
  textMeter.font = "14px " + getComputedStyle(document.body).fontFamily;
  const width = (piece) => {
    if (!textWidths.has(piece)) textWidths.set(piece, textMeter.measureText(piece).width);
    return textWidths.get(piece);
  };
  if (width(text) <= room) return text;
  let low = 0, high = text.length - 1; /* characters to keep */
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (width(keepEnds(text, middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return keepEnds(text, low);
}

const keepEnds = (text, num) =>
  `${text.slice(0, Math.ceil(num / 2))}…${text.slice(text.length - Math.floor(num / 2))}`;

const dash = "–"; /* of a value that is not known */

/* Before a number that is only the least possible. */
const leastMark = (isLeast) => isLeast ? "≥ " : "";

/* The text as a regular expression that matches only it. */
const literally = (text) => text.replace(/[^\w\s]/g, "\\$&");

const byName = new Intl.Collator("en", {numeric: true}); /* localeCompare is much slower */

/* "com.acme.Inventory@0A1B2C3D" becomes "Inventory@0A1B2C3D". */
const withoutPackage = (name) => name.replace(/(?:[^\s.@]+\.)+(?=[^\s.@]+@)/g, "");

/* "com.acme.OrderService.price" */
const fullNameOfMethod = ({name, className}) =>
  className === "" ? name : className + name.slice(name.lastIndexOf("."));
