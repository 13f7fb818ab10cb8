/* Places the nodes of a graph: nodes repel each other, edges pull them together. The start is a circle, so the same
   graph always looks the same. */

function layOut(nodes, edges, width, height) {
  const center = {x: width / 2, y: height / 2};
  nodes.forEach((node, i) => {
    const angle = 2 * Math.PI * i / nodes.length - Math.PI;
    node.x = center.x + (nodes.length === 1 ? 0 : Math.min(300, width * 0.3) * Math.cos(angle));
    node.y = center.y + (nodes.length < 3 ? 0 : height * 0.36 * Math.sin(angle));
  });
  if (nodes.length < 4) return;
  const wanted = Math.max(130, 0.7 * Math.sqrt(width * height / nodes.length));
  for (let heat = 40; heat > 0.5; heat *= 0.97) relax(nodes, edges, wanted, heat, center);
  keepInside(nodes, width, height);
  for (let i = 0; i < 80 && separate(nodes); i++) keepInside(nodes, width, height);
}

/* Moves boxes apart that overlap or leave no room for the text of an edge. Each pair moves in the direction that
   needs less space. Returns whether any box was moved. */
function separate(nodes) {
  let moved = false;
  nodes.forEach((a, i) => nodes.slice(i + 1).forEach((b) => {
    const dx = b.x - a.x, dy = b.y - a.y;
    const x = (a.width + b.width) / 2 + 24 - Math.abs(dx), y = 64 - Math.abs(dy);
    if (x <= 0.5 || y <= 0.5) return;
    const [key, gap, way] = x < 2 * y ? ["x", x, dx] : ["y", y, dy], by = (way < 0 ? -gap : gap) / 2;
    a[key] -= by;
    b[key] += by;
    moved = true;
  }));
  return moved;
}

function relax(nodes, edges, wanted, heat, center) {
  for (const node of nodes) node.dx = node.dy = 0;
  for (const a of nodes) {
    for (const b of nodes) {
      if (a === b) continue;
      const dx = a.x - b.x, dy = (a.y - b.y) * 1.6, distance = Math.max(1, Math.hypot(dx, dy));
      const force = wanted * wanted / distance;
      a.dx += dx / distance * force;
      a.dy += dy / distance * force;
    }
    a.dx += (center.x - a.x) * 0.1;
    a.dy += (center.y - a.y) * 0.35;
  }
  for (const {from, to} of edges) {
    if (from === to) continue;
    const dx = to.x - from.x, dy = to.y - from.y, distance = Math.max(1, Math.hypot(dx, dy)),
      force = distance * distance / wanted;
    from.dx += dx / distance * force; from.dy += dy / distance * force;
    to.dx -= dx / distance * force; to.dy -= dy / distance * force;
  }
  for (const node of nodes) {
    const length = Math.max(1, Math.hypot(node.dx, node.dy)), step = Math.min(length, heat) / length;
    node.x += node.dx * step;
    node.y += node.dy * step;
  }
}

function keepInside(nodes, width, height) {
  const span = (key, size, margin) => {
    const all = nodes.map((n) => n[key]), low = Math.min(...all), high = Math.max(...all), room = size - 2 * margin;
    const scale = high - low > room ? room / (high - low) : 1, offset = (size - (high - low) * scale) / 2;
    for (const n of nodes) n[key] = offset + (n[key] - low) * scale;
  };
  span("x", width, 110);
  span("y", height, 40);
}

/* The point where the line from the middle of `node` to another node leaves its box. */
function border(node, toward) {
  const dx = toward.x - node.x, dy = toward.y - node.y, w = node.width / 2 + 4, h = 17;
  const scale = Math.min(dx === 0 ? Infinity : w / Math.abs(dx), dy === 0 ? Infinity : h / Math.abs(dy));
  return {x: node.x + dx * scale, y: node.y + dy * scale};
}
