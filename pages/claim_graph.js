"use strict";
// Zooms and moves the graph of the claims, and shows the neighbourhood of a box. The graph is complete without this script.
(() => {
  const holder = document.getElementById("claim-graph");
  if (!holder) return;
  const svg = holder.querySelector("svg"), tools = document.querySelector(".graph-tools");
  const whole = [0, 0, Number(svg.dataset.width), Number(svg.dataset.height)];
  const edges = Array.from(svg.querySelectorAll("path"));
  let box = [...whole];
  tools.hidden = false;
  holder.classList.add("live");
  const set = () => { svg.setAttribute("viewBox", box.map((each) => each.toFixed(1)).join(" ")); holder.dataset.zoom = (whole[2] / box[2]).toFixed(2); };
  function zoom(factor, x = box[0] + box[2] / 2, y = box[1] + box[3] / 2) {
    const wide = Math.min(whole[2] * 1.5, Math.max(whole[2] / 40, box[2] * factor)), by = wide / box[2];
    box = [x - (x - box[0]) * by, y - (y - box[1]) * by, wide, box[3] * by];
    set();
  }
  const move = (x, y) => { box[0] += x * box[2]; box[1] += y * box[3]; set(); };
  const reset = () => { box = [...whole]; set(); };
  const at = (event) => {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [place.x, place.y];
  };
  tools.addEventListener("click", (event) => { const factor = event.target.dataset?.zoom; if (factor === "0") reset(); else if (factor) zoom(Number(factor)); });
  holder.addEventListener("wheel", (event) => {
    // A page that scrolls past must not be caught: only a graph that was chosen takes the wheel.
    if (!event.ctrlKey && !holder.contains(document.activeElement)) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.2 : 0.83, ...at(event));
  }, { passive: false });
  holder.addEventListener("keydown", (event) => {
    const actions = {
      "+": () => zoom(0.7), "=": () => zoom(0.7), "-": () => zoom(1.43), "0": reset,
      ArrowLeft: () => move(-0.1, 0), ArrowRight: () => move(0.1, 0), ArrowUp: () => move(0, -0.1), ArrowDown: () => move(0, 0.1),
    };
    if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
  });
  let dragged = null, moved = false;
  holder.addEventListener("pointerdown", (event) => { dragged = [event.clientX, event.clientY]; moved = false; });
  window.addEventListener("pointerup", () => { dragged = null; });
  holder.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const scale = box[2] / svg.clientWidth, x = event.clientX - dragged[0], y = event.clientY - dragged[1];
    if (Math.abs(x) + Math.abs(y) > 3) moved = true;
    box[0] -= x * scale; box[1] -= y * scale;
    dragged = [event.clientX, event.clientY];
    set();
  });
  holder.addEventListener("click", (event) => { if (moved) event.preventDefault(); }, true);
  holder.addEventListener("dragstart", (event) => event.preventDefault());

  function closure(start, from, to) {
    const found = new Set([start]), waiting = [start];
    while (waiting.length) {
      const here = waiting.pop();
      for (const edge of edges) {
        if (edge.dataset[from] === here && !found.has(edge.dataset[to])) { found.add(edge.dataset[to]); waiting.push(edge.dataset[to]); }
      }
    }
    return found;
  }
  function show(node) {
    holder.classList.toggle("chosen", Boolean(node));
    if (!node) return;
    const above = closure(node, "from", "to"), below = closure(node, "to", "from");
    const near = (id) => above.has(id) || below.has(id);
    svg.querySelectorAll("a").forEach((each) => each.classList.toggle("near", near(each.dataset.node)));
    edges.forEach((edge) => {
      const { from, to } = edge.dataset;
      edge.classList.toggle("near", (above.has(from) && above.has(to)) || (below.has(from) && below.has(to)));
    });
  }
  svg.querySelectorAll("a").forEach((each) => {
    each.addEventListener("pointerenter", () => show(each.dataset.node));
    each.addEventListener("pointerleave", () => show(null));
    each.addEventListener("focus", () => show(each.dataset.node));
    each.addEventListener("blur", () => show(null));
  });
  set();
})();
