/* The lanes above the threads of the timeline: CPU use of the whole process, of the garbage collector and of the JIT
   compiler, and bands where a collection stopped the program. Nothing if the recording does not contain these facts. */

const MACHINE_LANE = 16;

const machine = {
  known: data.process !== null,
  height: data.process === null ? 0 : 3 * MACHINE_LANE + 6,
  lanes: [["CPU", "cpu", "whole process"], ["GC", "gc", "garbage collector"], ["JIT", "jit", "JIT compiler"]],

  labels() {
    if (!this.known) return null;
    return make("div.machine", {}, this.lanes.map(([label, , meaning], i) =>
      make("span", {title: `CPU time of the ${meaning}`, style: `top:${22 + i * MACHINE_LANE}px`}, label)));
  },

  legend() {
    if (!this.known || data.process.pauses.num === 0) return null;
    return make("span", {title: "A collection stopped all threads"},
      make("i", {style: "background:var(--gc)"}), "GC pause");
  },

  /* CPU time is measured at intervals, so a bar shows the average number of busy CPUs in an interval. */
  get most() {
    const {spells} = data.process;
    let most = 1;
    for (let i = 0; i < spells.num; i++)
      for (const [, part] of this.lanes) most = Math.max(most, spells[part][i] / spells.length[i]);
    return most;
  },

  paint(context, view, axis, height) {
    if (!this.known) return;
    const x = (time_) => (time_ - view.begin) / (view.end - view.begin) * view.width;
    this.paintPauses(context, view, x, axis, height);
    const {spells} = data.process, most = this.most, room = MACHINE_LANE - 3;
    this.lanes.forEach(([, part], lane) => {
      const times = spells[part];
      const bottom = axis - this.height + (lane + 1) * MACHINE_LANE;
      context.fillStyle = theme.color(part);
      for (let i = 0; i < spells.num; i++) {
        const begin = spells.begin[i], end = begin + spells.length[i];
        if (begin > view.end || end < view.begin || times[i] === 0) continue;
        const from = x(begin), to = x(end);
        const tall = Math.max(1, room * times[i] / spells.length[i] / most);
        context.fillRect(from, bottom - tall, Math.max(1, to - from), tall);
      }
    });
  },

  paintPauses(context, view, x, axis, height) {
    const {pauses} = data.process;
    context.fillStyle = theme.color("gc");
    context.globalAlpha = 0.22;
    for (let i = 0; i < pauses.num; i++) {
      const begin = pauses.begin[i], end = begin + pauses.length[i];
      if (begin > view.end || end < view.begin) continue;
      context.fillRect(x(begin), axis, Math.max(0.5, x(end) - x(begin)), height - axis);
    }
    context.globalAlpha = 1;
  },

  /* The name and the tooltip rows of the bar under the pointer; null: there is no bar. */
  at(y, time_, axis) {
    const lane = Math.floor((y - axis + this.height) / MACHINE_LANE);
    if (!this.known || lane < 0 || lane >= this.lanes.length) return null;
    const {spells} = data.process, [, part, meaning] = this.lanes[lane];
    for (let i = 0; i < spells.num; i++) {
      if (time_ < spells.begin[i] || time_ >= spells.begin[i] + spells.length[i]) continue;
      return {name: meaning, rows: [["CPUs busy", (spells[part][i] / spells.length[i]).toFixed(2)],
        ["CPU time", time(spells[part][i])], ["within", time(spells.length[i])],
        ["from", moment(spells.begin[i])]]};
    }
    return null;
  },
};
