/* The contents of the timeline: spans, which can be searched by time, and arrows. */

const MIXED = data.timeline.states.length;

/* The row of a thread. Times are nanoseconds since the start. */
class TimelineRow {
  constructor(row) {
    const {spans} = row, {num} = spans;
    this.thread = row.thread;
    this.name = threadName(row.thread);
    this.cpu = data.threads[row.thread].cpu;
    this.first = data.threads[row.thread].first;
    this.sums = row.sums;
    this.step = row.step;
    this.begins = new Float64Array(num);
    this.ends = new Float64Array(num);
    this.states = new Uint8Array(num);
    this.details = new Uint32Array(num);
    for (let i = 0, at = 0; i < num; i++) {
      this.begins[i] = at += spans.gap[i];
      this.ends[i] = at += spans.length[i];
      this.states[i] = spans.state[i];
      this.details[i] = spans.detail[i];
    }
  }

  /* The first span that ends after a time. */
  firstAfter(time_) {
    let low = 0, high = this.ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] > time_) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /* The span at a time; -1: the thread did not exist. */
  at(time_) {
    const i = this.firstAfter(time_);
    return i < this.ends.length && this.begins[i] <= time_ ? i : -1;
  }
}

/* The times by state of all mixed spans, concatenated. Because of rounding, the times of a span differ from its
   length by some nanoseconds. */
const mixes = Float64Array.from(data.timeline.mixes);
const mixOf = (detail) => mixes.subarray(detail * MIXED, (detail + 1) * MIXED);

/* Paints the spans of a row between two times. Spans narrower than a pixel are summed up and drawn as stacked
   shares of the pixel. Mixed spans are drawn in the same way. */
function paintSpans(context, row, view, y, height) {
  const perPixel = (view.end - view.begin) / view.width, column = new Float64Array(MIXED);
  const colors = data.timeline.states.map((_, state) => stateColor(state));
  let columnAt = -1;
  const flush = () => {
    if (columnAt >= 0) paintShares(context, colors, column, perPixel, columnAt, 1, y, height);
    column.fill(0);
    columnAt = -1;
  };
  for (let i = row.firstAfter(view.begin); i < row.ends.length && row.begins[i] < view.end; i++) {
    const begin = Math.max(row.begins[i], view.begin), end = Math.min(row.ends[i], view.end);
    const x0 = (begin - view.begin) / perPixel, x1 = (end - view.begin) / perPixel;
    if (x1 - x0 < 1.2) {
      const pixel = Math.floor((x0 + x1) / 2);
      if (pixel !== columnAt) { flush(); columnAt = pixel; }
      addTimes(column, row, i, end - begin);
      continue;
    }
    flush();
    if (row.states[i] === MIXED) {
      /* On whole pixels, because steps are adjacent. */
      const left = Math.floor(x0), width = Math.floor(x1) - left;
      paintShares(context, colors, mixOf(row.details[i]), row.ends[i] - row.begins[i], left, width, y, height);
    } else {
      context.fillStyle = colors[row.states[i]];
      context.fillRect(row.step > 0 ? Math.floor(x0) : x0, y,
        row.step > 0 ? Math.floor(x1) - Math.floor(x0) : x1 - x0, height);
    }
  }
  flush();
}

function addTimes(column, row, i, length) {
  if (row.states[i] !== MIXED) { column[row.states[i]] += length; return; }
  const first = row.details[i] * MIXED, part = length / (row.ends[i] - row.begins[i]);
  for (let state = 0; state < MIXED; state++) column[state] += mixes[first + state] * part;
}

function paintShares(context, colors, times, whole, x, width, y, height) {
  let bottom = y + height;
  for (let state = 0; state < MIXED; state++) {
    if (times[state] <= 0) continue;
    const part = Math.min(bottom - y, height * times[state] / whole);
    context.fillStyle = colors[state];
    context.fillRect(x, bottom - part, width, part);
    bottom -= part;
  }
}

/* The arrows, longest wait first. */
const arrows = {
  num: data.timeline.arrows.num,
  at(i) {
    const {thread, owner, begin, length} = data.timeline.arrows;
    return {thread: thread[i], owner: owner[i], begin: begin[i], end: begin[i] + length[i], length: length[i]};
  },
};

/* Paints an arrow at the time when a thread became blocked: from its row to the row of the lock's owner. */
function paintArrow(context, x, from, to) {
  const bend = Math.min(26, 8 + Math.abs(to - from) / 6);
  context.beginPath();
  context.moveTo(x, from);
  context.bezierCurveTo(x - bend, from, x - bend, to, x - 2, to);
  context.stroke();
  context.beginPath();
  context.moveTo(x, to);
  context.lineTo(x - 6, to - 3.5);
  context.lineTo(x - 6, to + 3.5);
  context.closePath();
  context.fill();
  context.beginPath();
  context.arc(x, from, 2, 0, 7);
  context.fill();
}

/* The times of the axis marks. Their distance is 1, 2 or 5 times a power of ten, about 90 pixels. */
function axisMarks(view) {
  const wanted = (view.end - view.begin) * 90 / view.width, power = 10 ** Math.floor(Math.log10(wanted));
  const step = power * (wanted / power <= 2 ? 2 : wanted / power <= 5 ? 5 : 10), marks = [];
  for (let t = Math.ceil(view.begin / step) * step; t <= view.end; t += step) marks.push(t);
  return {step, marks};
}
