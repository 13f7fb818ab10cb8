/* The data of the recording, and functions that read it. html/data.h describes each part. */

const data = JSON.parse(byId("data").textContent);

/* The threads in the lists of choices. */
const threadChoice = () => [...data.threads.keys()].slice(0, Math.min(data.asked, 2000));
const threadName = (thread) => thread < 0 ? "another thread" : data.threads[thread][0];
const objectName = (object) => object < 0 ? "" : data.objects[object];
const eventName = (event) => data.events[event][0];
const eventGroup = (event) => data.events[event][1];

/* --- frames (0: none) ---------------------------------------------------------------- */

const frameParent = (frame) => data.frames[3 * (frame - 1)];
const frameMethod = (frame) => data.frames[3 * (frame - 1) + 1];
const frameLine = (frame) => data.frames[3 * (frame - 1) + 2];

const methodName = (method) => data.methods[method][0];
const isPlatform = (method) => data.methods[method][3] > 0;

/* Is it "(native)" or "(JVM)"? Its time is part of the self time of the method that called it. */
const isOutsideJava = (method) => data.methods[method][3] === 2;

/* "com.acme.OrderService.price" */
function methodFullName(method) {
  const [name, className] = data.methods[method];
  return className === "" ? name : className + name.slice(name.lastIndexOf("."));
}

/* "OrderService.java:88"; "" if the file is not known. */
function sourceOf(method, line) {
  const file = data.methods[method][2];
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
