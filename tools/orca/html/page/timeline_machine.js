/* The lanes above the threads of the timeline: CPU use of the garbage collector and of the JIT compiler, and bands
   where a collection stopped the program. Nothing if the recording does not contain these facts. */

const MACHINE_LANE = 16;

const machine = {
  known: data.process !== null,
  height: data.process === null ? 0 : 2 * MACHINE_LANE + 6,
  lanes: [["GC", 3, "var(--gc)", "garbage collector"], ["JIT", 2, "var(--jit)", "JIT compiler"]],

  labels() {
    if (!this.known) return null;
    return make("div.machine", {}, this.lanes.map(([label, , , meaning], i) =>
      make("span", {title: `CPU time of the ${meaning}`, style: `top:${22 + i * MACHINE_LANE}px`}, label)));
  },

  legend() {
    if (!this.known || data.process.pauses.length === 0) return null;
    return make("span", {title: "A collection stopped all threads"},
      make("i", {style: "background:var(--gc)"}), "GC pause");
  },

  /* CPU time is measured at intervals, so a bar shows the average number of busy CPUs in an interval. */
  get most() {
    const {spells} = data.process;
    let most = 1;
    for (let i = 0; i < spells.length; i += 4)
      most = Math.max(most, spells[i + 2] / spells[i + 1], spells[i + 3] / spells[i + 1]);
    return most;
  },

  paint(context, view, axis, height) {
    if (!this.known) return;
    const x = (time_) => (time_ - view.begin) / (view.end - view.begin) * view.width;
    this.paintPauses(context, view, x, axis, height);
    const {spells} = data.process, most = this.most, room = MACHINE_LANE - 3;
    this.lanes.forEach(([, field, color], lane) => {
      const bottom = axis - this.height + (lane + 1) * MACHINE_LANE;
      context.fillStyle = this.color(color);
      for (let i = 0; i < spells.length; i += 4) {
        if (spells[i] > view.end || spells[i] + spells[i + 1] < view.begin || spells[i + field] === 0) continue;
        const from = x(spells[i]), to = x(spells[i] + spells[i + 1]);
        const tall = Math.max(1, room * spells[i + field] / spells[i + 1] / most);
        context.fillRect(from, bottom - tall, Math.max(1, to - from), tall);
      }
    });
  },

  paintPauses(context, view, x, axis, height) {
    const {pauses} = data.process;
    context.fillStyle = this.color("var(--gc)");
    context.globalAlpha = 0.22;
    for (let i = 0; i < pauses.length; i += 2) {
      if (pauses[i] > view.end || pauses[i] + pauses[i + 1] < view.begin) continue;
      context.fillRect(x(pauses[i]), axis, Math.max(0.5, x(pauses[i] + pauses[i + 1]) - x(pauses[i])), height - axis);
    }
    context.globalAlpha = 1;
  },

  color(name) { return theme.color(name.slice(6, -1)); },

  /* The name and the tooltip rows of the bar under the pointer; null: there is no bar. */
  at(y, time_, axis) {
    const lane = Math.floor((y - axis + this.height) / MACHINE_LANE);
    if (!this.known || lane < 0 || lane >= this.lanes.length) return null;
    const {spells} = data.process, [, field, , meaning] = this.lanes[lane];
    for (let i = 0; i < spells.length; i += 4) {
      if (time_ < spells[i] || time_ >= spells[i] + spells[i + 1]) continue;
      return {name: meaning, rows: [["CPU time", time(spells[i + field])], ["within", time(spells[i + 1])],
        ["from", moment(spells[i])]]};
    }
    return null;
  },
};
