/* The lane of the critical path, above the threads of the timeline: who is on it at each moment, in the color of what
   the thread does. A line above it marks time on account of a lock. Nothing if the recording has no such path. */

const PATH_LANE = 20;

const criticalPath = {
  height: data.path === null ? 0 : PATH_LANE + 6,

  labels(axis) {
    if (data.path === null) return null;
    const title = "What the end of the run waited for: at each moment the thread that is on the critical path";
    return make("div.machine.path-label", {style: `top:${axis - this.height}px`}, make("span", {title}, "path"));
  },

  /* The state of a thread whose color a reason has. */
  states: ["running", "runnable", "in I/O", "sleeping", "waiting", "in no call", "blocked", "not seen", "waiting"],

  colorOf(name_) {
    const state = data.timeline.states.findIndex(({name}) => name === name_);
    return state < 0 ? theme.color("muted") : stateColor(state);
  },

  paint(context, view, axis) {
    if (data.path === null) return;
    const {stretches} = data.path, top = axis - this.height + 4;
    const x = (time_) => (time_ - view.begin) / (view.end - view.begin) * view.width;
    for (let i = 0; i < stretches.num; i++) {
      const begin = stretches.begin[i], end = begin + stretches.length[i];
      if (begin > view.end || end < view.begin) continue;
      const from = x(begin), width = Math.max(1, x(end) - from);
      context.fillStyle = this.colorOf(this.states[stretches.reason[i]]);
      context.fillRect(from, top, width, PATH_LANE - 6);
      if (stretches.object[i] < 0) continue;
      context.fillStyle = this.colorOf("blocked");
      context.fillRect(from, top - 3, width, 2);
    }
  },

  find(y, time_, axis) {
    if (data.path === null || y < axis - this.height || y >= axis) return -1;
    const {stretches} = data.path;
    for (let i = 0; i < stretches.num; i++)
      if (time_ >= stretches.begin[i] && time_ < stretches.begin[i] + stretches.length[i]) return i;
    return -1;
  },

  /* The name and the tooltip rows of the stretch under the pointer; null: there is none. */
  at(y, time_, axis) {
    const i = this.find(y, time_, axis);
    if (i < 0) return null;
    const {stretches, reasons} = data.path, rows = [[reasons[stretches.reason[i]], ""]];
    if (stretches.object[i] >= 0) rows.push(["while others wait for", objectName(stretches.object[i])]);
    if (stretches.frame[i] > 0) rows.push(["at", placeText(stretches.frame[i])]);
    rows.push(["from", moment(stretches.begin[i])], ["for", time(stretches.length[i])]);
    return {name: `critical path: ${threadName(stretches.thread[i])}`, rows};
  },

  /* Shows the lock, or else the thread. Returns whether there was a stretch. */
  click(y, time_, axis) {
    const i = this.find(y, time_, axis);
    if (i < 0) return false;
    const {stretches} = data.path;
    const lock = data.locks.rows.find((row) => row.object === stretches.object[i]);
    if (lock !== undefined) { openView("locks"); locks.select(lock); }
    else timeline.showInSight(stretches.thread[i]);
    return true;
  },
};
