/* What was recorded, as the program wrote it (data.h says what each part is), and ways to ask it. */

const data = JSON.parse(byId("data").textContent);

/* The threads that a person can choose. */
const threadChoice = () => [...data.threads.keys()].slice(0, Math.min(data.asked, 2000));
const threadName = (thread) => thread < 0 ? "another thread" : data.threads[thread][0];
const objectName = (object) => object < 0 ? "" : data.objects[object];
const eventName = (event) => data.events[event][0];
const eventGroup = (event) => data.events[event][1];

/* --- frames: 0 is none --------------------------------------------------------------- */

const frameParent = (frame) => data.frames[3 * (frame - 1)];
const frameMethod = (frame) => data.frames[3 * (frame - 1) + 1];
const frameLine = (frame) => data.frames[3 * (frame - 1) + 2];

const methodName = (method) => data.methods[method][0];
const isPlatform = (method) => data.methods[method][3] > 0;

/* "(native)" and "(JVM)": their time is that of the method that called them. */
const isOutsideJava = (method) => data.methods[method][3] === 2;

/* "com.acme.OrderService.price" */
function methodFullName(method) {
  const [name, className] = data.methods[method];
  return className === "" ? name : className + name.slice(name.lastIndexOf("."));
}

/* "OrderService.java:88", "" where no file is known. */
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

/* The innermost frame of the program itself; the innermost of all where none is. */
function placeOf(frame) {
  for (let f = frame; f > 0; f = frameParent(f)) {
    if (!isPlatform(frameMethod(f))) return f;
  }
  return frame;
}

const placeText = (frame) => frame === 0 ? "" : frameText(placeOf(frame));
