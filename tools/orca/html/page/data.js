/* The data of a recording, and functions that read it. html/data.h describes each part. This script names the
   fields of all rows, so the other scripts do not depend on their positions. */

/* Opens a view of this recording. */
const openView = (key) => app.open(key, side);

data.threads = data.threads.map(([name, hash, first, last, alive, cpu]) => ({name, hash, first, last, alive, cpu}));
data.events = data.events.map(([name, group, call]) => ({name, group, call}));
data.methods = data.methods.map(([name, className, file, kind]) => ({name, className, file, kind}));
data.frames = columns(data.frames, "parent", "method", "line");

data.profile.rows = columns(data.profile.rows, "thread", "frame", "cpu", "wall", "blocked", "waits");
const [leftCpu, leftWall, leftBlocked, leftWaits] = data.profile.left;
data.profile.left = {cpu: leftCpu, wall: leftWall, blocked: leftBlocked, waits: leftWaits};

data.slices.rows = columns(data.slices.rows, "gap", "thread", "frame", "cpu", "wall", "blocked", "waits");
data.slices.number = new Uint32Array(data.slices.rows.num);
for (let i = 0, at = 0; i < data.slices.rows.num; i++) data.slices.number[i] = at += data.slices.rows.gap[i];

const lockKeys = (rows) => rows.map(([key, times, ns]) => ({key, times, ns}));
for (const lock of data.locks.rows) {
  for (const list of ["threads", "owners", "holders", "places", "holderPlaces"])
    if (lock[list] !== undefined) lock[list] = lockKeys(lock[list]);
}

data.timeline.states = data.timeline.states.map(([name, meaning]) => ({name, meaning}));
for (const row of data.timeline.rows) row.spans = columns(row.spans, "gap", "length", "state", "detail");
data.timeline.calls = columns(data.timeline.calls, "event", "object", "owner", "frame");
data.timeline.arrows = columns(data.timeline.arrows, "thread", "owner", "begin", "length", "object", "frame");

if (data.process !== null) {
  data.process.owners = data.process.owners.map(([name, cpu]) => ({name, cpu}));
  data.process.spells = columns(data.process.spells, "begin", "length", "cpu", "jit", "gc");
  data.process.pauses = columns(data.process.pauses, "begin", "length");
}

if (data.path !== null)
  data.path.stretches = columns(data.path.stretches, "begin", "length", "thread", "reason", "object", "frame");

for (const wait of data.graph.open) wait.owners = wait.owners.map(([thread, frame]) => ({thread, frame}));
data.graph.run = columns(data.graph.run, "thread", "owner", "times", "length");

data.log.rows = columns(data.log.rows, "gap", "thread", "event", "object", "owner", "frame", "took");

/* --- threads, objects, events, states --------------------------------------------------- */

/* A thread as the address of the page names it, and back; -1: no or another thread. */
const threadKey = (thread) => data.threads[thread].hash;
const threadOfKey = (key) => data.threads.findIndex((thread) => thread.hash === key);

/* The threads in the lists of choices. */
const threadChoice = () => [...data.threads.keys()].slice(0, Math.min(data.asked, 500));
const threadName = (thread) => thread < 0 ? "another thread" : data.threads[thread].name;
const objectName = (object) => object < 0 ? "" : data.objects[object];
const lockName = (lock) => lock.object < 0 ? data.locks.several ?? "" : objectName(lock.object);
const waitedMark = (lock) => leastMark(lock.waitedAtLeast);
const blockedMark = (lock) => leastMark(lock.waitedAtLeast || lock.blockedAtLeast);
const eventName = (event) => data.events[event].name;
const eventGroup = (event) => data.events[event].group;
const eventCall = (event) => data.events[event].call;
const stateName = (state) => data.timeline.states[state].name;

/* The states with a time, the longest first. `times`: nanoseconds of each state. */
function stateTimes(times) {
  return [...times].map((ns, state) => ({name: stateName(state), ns})).filter(({ns}) => ns > 0)
    .sort((a, b) => b.ns - a.ns);
}

/* --- frames (0: none) ---------------------------------------------------------------- */

const frameParent = (frame) => data.frames.parent[frame - 1];
const frameMethod = (frame) => data.frames.method[frame - 1];
const frameLine = (frame) => data.frames.line[frame - 1];

const methodName = (method) => data.methods[method].name;
const isPlatform = (method) => data.methods[method].kind > 0;

/* Is it "(native)" or "(JVM)"? Its time is part of the self time of the method that called it. */
const isOutsideJava = (method) => data.methods[method].kind === 2;

const methodFullName = (method) => fullNameOfMethod(data.methods[method]);

/* "OrderService.java:88"; "" if the file is not known. */
function sourceOf(method, line) {
  const {file} = data.methods[method];
  return file === "" || line === 0 ? file : `${file}:${line}`;
}

function frameText(frame) {
  const method = frameMethod(frame), source = sourceOf(method, frameLine(frame));
  return source === "" ? methodName(method) : `${methodName(method)} (${source})`;
}

/* The frames of a stack, innermost first. */
function stackOf(frame) {
  const frames = [];
  for (let f = frame; f > 0; f = frameParent(f)) frames.push(f);
  return frames;
}

/* The innermost frame in code of the program; the innermost of all frames if there is none. */
function placeOf(frame) {
  for (let f = frame; f > 0; f = frameParent(f)) {
    if (!isPlatform(frameMethod(f))) return f;
  }
  return frame;
}

const placeText = (frame) => frame === 0 ? "" : frameText(placeOf(frame));

/* A stack, innermost frame first. Frames of the JDK are grey. */
function stackList(frame) {
  if (frame === 0) return make("p.note", {}, "No stack was recorded.");
  return make("ol.stack", {}, stackOf(frame).map((f) => {
    const method = frameMethod(f), source = sourceOf(method, frameLine(f));
    return make(isPlatform(method) ? "li.platform" : "li", {title: methodFullName(method)},
      methodName(method), source === "" ? null : make("span", {}, ` ${source}`));
  }));
}
