/* One recording. The build puts the scripts of the views, from data.js to log.js, into this function, because a page
   with two recordings has each view twice. `side`: the number of the recording on the page. */
function openRecording(data, side) {
  /* views */
  return {side, data, overview, flame, methods, timeline, locks, graph, log,
    views: [overview, flame, methods, timeline, locks, graph, log]};
}
