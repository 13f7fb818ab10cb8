/* Groups of threads whose names differ only in numbers: worker-1 and worker-2 are in the group worker-#. A group has
   one lane, which sums up its threads. */

const SMALLEST_GROUP = 4;

const groupName = (name) => name.replace(/\d+/g, "#");

class TimelineGroup {
  constructor(members) {
    this.name = sharedName(members.map((row) => row.name));
    this.members = members;
    this.sums = data.timeline.states.map((_, state) => members.reduce((sum, row) => sum + row.sums[state], 0));
    this.cpu = members.reduce((sum, row) => sum + row.cpu, 0);
    this.first = Math.min(...members.map((row) => row.first));
    this.prefix = commonPrefix(members.map((row) => row.name));
    this.drawn = {};
  }

  /* The time of each state in each pixel, concatenated by pixel: of all members together. */
  columns(view) {
    const perPixel = (view.end - view.begin) / view.width, times = new Float64Array(view.width * MIXED);
    const add = (state, x0, x1, part) => {
      const first = Math.floor(x0), last = Math.min(view.width - 1, Math.floor(x1));
      if (first >= last) { times[Math.min(first, view.width - 1) * MIXED + state] += (x1 - x0) * part; return; }
      times[first * MIXED + state] += (first + 1 - x0) * part;
      for (let x = first + 1; x < last; x++) times[x * MIXED + state] += part;
      times[last * MIXED + state] += (x1 - last) * part;
    };
    for (const row of this.members) {
      for (let i = row.firstAfter(view.begin); i < row.ends.length && row.begins[i] < view.end; i++) {
        const x0 = (Math.max(row.begins[i], view.begin) - view.begin) / perPixel;
        const x1 = (Math.min(row.ends[i], view.end) - view.begin) / perPixel;
        if (row.states[i] !== MIXED) { add(row.states[i], x0, x1, 1); continue; }
        const first = row.details[i] * MIXED, length = row.ends[i] - row.begins[i];
        for (let state = 0; state < MIXED; state++)
          if (mixes[first + state] > 0) add(state, x0, x1, mixes[first + state] / length);
      }
    }
    return times;
  }

  /* The picture of the lane, which is made again only if the view has changed. The whole height is all members. */
  picture(view, height) {
    const key = `${view.begin} ${view.end} ${view.width} ${theme.isDark}`;
    if (this.drawn.key === key) return this.drawn;
    const width = Math.max(1, Math.floor(view.width)), times = this.columns({...view, width});
    const canvas = make("canvas", {width, height}), context = canvas.getContext("2d");
    const image = context.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
    const colors = data.timeline.states.map((_, state) => pixelColor(stateColor(state)));
    for (let x = 0; x < width; x++) {
      let at = 0;
      for (let state = 0; state < MIXED; state++) {
        const share_ = times[x * MIXED + state] / this.members.length;
        if (share_ === 0) continue;
        const from = Math.round(at * height);
        at += share_;
        const to = Math.min(height, Math.round(at * height));
        for (let y = from; y < to; y++) pixels[(height - 1 - y) * width + x] = colors[state];
      }
    }
    context.putImageData(image, 0, 0);
    this.drawn = {key, canvas, times, width};
    return this.drawn;
  }

  /* The average number of threads in each state at a pixel of the last picture, the most first. */
  at(x) {
    const {times, width} = this.drawn, pixel = Math.max(0, Math.min(width - 1, Math.floor(x)));
    return [...times.subarray(pixel * MIXED, (pixel + 1) * MIXED)]
      .map((threads, state) => ({name: stateName(state), threads})).filter(({threads}) => threads > 0.005)
      .sort((a, b) => b.threads - a.threads);
  }
}

/* "rgb(63, 156, 109)" as a pixel of an image. */
function pixelColor(text) {
  const [red, green, blue] = text.match(/[\d.]+/g).map(Number);
  return (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
}

/* The name of a group: numbers that all names have remain. */
function sharedName(names) {
  const parts = names.map((name) => name.split(/(\d+)/));
  return parts[0].map((part, i) => parts.every((other) => other[i] === part) ? part : "#").join("");
}

/* The beginning that all names have, up to the end of a word. */
function commonPrefix(names) {
  let prefix = names[0];
  for (const name of names) while (!name.startsWith(prefix)) prefix = prefix.slice(0, -1);
  return prefix.replace(/[^\s\-_.#/@:]+$/, "");
}

/* The rows as groups and single rows. `opened`: the names of groups whose members are shown too. */
function groupRows(rows, compare, opened) {
  const byName = new Map();
  for (const row of rows) {
    const key = groupName(row.name);
    if (!byName.has(key)) byName.set(key, []);
    byName.get(key).push(row);
  }
  const items = [];
  for (const members of byName.values()) {
    if (members.length < SMALLEST_GROUP) items.push(...members);
    else items.push(new TimelineGroup(members.sort(compare)));
  }
  return items.sort(compare).flatMap((item) =>
    item instanceof TimelineGroup && opened.has(item.name) ? [item, ...item.members] : [item]);
}
