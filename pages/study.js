"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const state = {
    group: 0, setting: 0, hidden: new Set(), band: "seeds", log: true, bounds: true, at: null,
  };
  const SVG = "http://www.w3.org/2000/svg";
  const MARGIN = { left: 58, right: 14, top: 12, bottom: 38 };
  const MARKS = ["circle", "square", "triangle", "diamond", "cross", "star"];
  const DASHES = ["", "9 3", "8 3 2 3", "2 3"];

  const byId = (id) => document.getElementById(id);
  const series = (index) => `var(--series-${index % data.colours})`;

  // Numbers to read come as texts, rounded once for the table and for these: rounding again may go the other way.
  const finalMean = (curve) => curve.texts[curve.texts.length - 1][0];

  function make(parent, name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  // ---- scales

  function scale(low, high, start, end, log) {
    const f = log ? Math.log10 : (x) => x;
    const a = f(low), b = f(high) === f(low) ? f(low) + 1 : f(high);
    const to = (value) => start + ((f(value) - a) / (b - a)) * (end - start);
    to.ticks = log ? logTicks(low, high) : linearTicks(low, high === low ? low + 1 : high, 5);
    return to;
  }
  function logTicks(low, high) {
    const ticks = [];
    const decades = Math.log10(high / low);
    const steps = decades > 2.5 ? [1] : decades > 0.9 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 8];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
      for (const step of steps) {
        const tick = step * 10 ** power;
        if (tick >= low * 0.9999 && tick <= high * 1.0001) ticks.push(tick);
      }
    }
    return decades > 9 ? ticks.filter((_, index) => index % 2 === 0) : ticks;
  }
  function linearTicks(low, high, wanted) {
    const rough = (high - low) / wanted, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((s) => s * power).find((s) => s >= rough);
    const ticks = [];
    for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1e6; tick += step) ticks.push(tick);
    return ticks;
  }
  function tickText(value, log) {
    if (!log) return +value.toPrecision(12) >= 1e6 ? `${+(value / 1e6).toPrecision(4)}M` : (+value.toPrecision(6)).toLocaleString("en");
    if (value >= 1e4 && Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9) {
      return `10${[...String(Math.round(Math.log10(value)))].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]).join("")}`;
    }
    if (value >= 1e6) return `${+(value / 1e6).toPrecision(3)}M`;
    if (value >= 1e4) return `${+(value / 1e3).toPrecision(3)}k`;
    return String(+value.toPrecision(4));
  }

  function frame(host, height, x, y, across, log, logUp = log) {
    const width = Math.max(260, host.clientWidth);
    host.replaceChildren();
    const root = make(host, "svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
    const toX = scale(x[0], x[1], MARGIN.left, width - MARGIN.right, log);
    const toY = scale(y[0], y[1], height - MARGIN.bottom, MARGIN.top, logUp);
    let last = -Infinity;
    for (const tick of toX.ticks) {
      const at = toX(tick);
      make(root, "line", { x1: at, x2: at, y1: MARGIN.top, y2: height - MARGIN.bottom, class: "axis" });
      if (at - last < 40) continue;
      last = at;
      make(root, "text", { x: at, y: height - MARGIN.bottom + 15, "text-anchor": "middle" }, tickText(tick, log));
    }
    for (const tick of toY.ticks) {
      const at = toY(tick);
      make(root, "line", { x1: MARGIN.left, x2: width - MARGIN.right, y1: at, y2: at, class: "axis" });
      make(root, "text", { x: MARGIN.left - 6, y: at + 4, "text-anchor": "end" }, tickText(tick, logUp));
    }
    make(root, "text", { x: (MARGIN.left + width - MARGIN.right) / 2, y: height - 6, "text-anchor": "middle" }, across);
    const clip = `clip-${host.id}`;
    const inside = { x: MARGIN.left, y: MARGIN.top, width: width - MARGIN.left - MARGIN.right };
    make(make(root, "clipPath", { id: clip }), "rect", { ...inside, height: height - MARGIN.top - MARGIN.bottom });
    const plot = make(root, "g", { "clip-path": `url(#${clip})` });
    return { root, plot, toX, toY, width, height };
  }

  // ---- what is shown

  const group = () => data.groups[state.group];
  const setting = () => group().settings[state.setting];
  const visible = () => setting().cells.map((cell, index) => ({ cell, index })).filter(({ index }) => !state.hidden.has(index));

  function path(xs, ys, frameOf, log = state.log) {
    let text = "", pen = "M";
    xs.forEach((x, i) => {
      if (ys[i] === null || (log && ys[i] <= 0)) { pen = "M"; return; }
      text += `${pen}${frameOf.toX(x).toFixed(1)} ${frameOf.toY(ys[i]).toFixed(1)}`;
      pen = "L";
    });
    return text;
  }

  // Lines that lie on each other share the way: each has its own dashes of it, so that every colour is seen.
  function dashes(lines, numbers) {
    const texts = lines.map((line) => JSON.stringify(numbers(line)));
    return lines.map(({ index }, place) => {
      const same = texts.map((text, other) => (text === texts[place] ? other : -1)).filter((other) => other >= 0);
      if (same.length === 1) return `stroke-dasharray:${DASHES[index % DASHES.length] || "none"}`;
      return `stroke-dasharray:9 ${9 * (same.length - 1)};stroke-dashoffset:${-9 * same.indexOf(place)}`;
    });
  }
  function sayCoincident() {
    const names = new Map();
    for (const { cell } of visible()) {
      const text = JSON.stringify([cell.regret.mean, cell.queries.mean]);
      names.set(text, [...(names.get(text) ?? []), cell.policy]);
    }
    const said = [...names.values()].filter((same) => same.length > 1).map((same) => `${same.join(", ")}: on each other, in dashes of each colour.`);
    byId("coincident").textContent = said.join(" ");
  }

  function drawCurve(quantity) {
    const host = byId(`${quantity}-curve`), here = setting(), rounds = here.rounds;
    const lines = visible();
    const floor = state.log ? 1e-9 : -Infinity;
    const values = lines.flatMap(({ cell }) => cell[quantity].mean.concat(cell[quantity].q95));
    if (state.bounds) lines.forEach(({ cell }) => cell.bounds && values.push(...cell.bounds[quantity].filter((v) => v !== null)));
    const positive = values.filter((value) => value > floor);
    const range = positive.length ? [Math.min(...positive), Math.max(...positive)] : [1, 10];
    if (!state.log) range[0] = 0;
    const chart = frame(host, 330, [rounds[0], rounds[rounds.length - 1]], range, "round t", state.log);
    host.chart = chart;
    const bottom = state.log ? range[0] : 0;
    for (const { cell, index } of lines) {
      const curve = cell[quantity];
      const [low, high] = state.band === "mean" ? [curve.low, curve.high] : [curve.q05, curve.q95];
      const edge = (ys) => rounds.map((t, i) => `${chart.toX(t).toFixed(1)} ${chart.toY(Math.max(ys[i], bottom)).toFixed(1)}`);
      const area = `M${edge(high).join("L")}L${edge(low).reverse().join("L")}Z`;
      make(chart.plot, "path", { d: area, style: `fill:${series(index)};opacity:0.18` });
    }
    if (state.bounds) drawBounds(chart, quantity, lines, here);
    const strokes = dashes(lines, ({ cell }) => cell[quantity].mean);
    lines.forEach(({ cell, index }, place) => {
      const style = `stroke:${series(index)};${strokes[place]}`;
      make(chart.plot, "path", { d: path(rounds, cell[quantity].mean, chart), class: "line", style, "data-policy": cell.policy });
    });
    host.setAttribute("aria-label", `${quantity} over time, ${lines.length} policies; arrow keys move through the rounds`);
    if (state.at !== null) {
      const at = chart.toX(rounds[state.at]);
      make(chart.root, "line", { x1: at, x2: at, y1: MARGIN.top, y2: chart.height - MARGIN.bottom, class: "cross" });
      for (const { cell, index } of lines) {
        const value = cell[quantity].mean[state.at];
        if (value > 0 || !state.log) make(chart.plot, "circle", { cx: at, cy: chart.toY(value), r: 4, style: `fill:${series(index)}` });
      }
    }
  }

  function drawBounds(chart, quantity, lines, here) {
    const several = here.cells.filter((cell) => cell.bounds).length > 1;
    const bounded = lines.filter(({ cell }) => cell.bounds);
    const strokes = dashes(bounded, ({ cell }) => cell.bounds[quantity]);
    for (const [place, { cell, index }] of bounded.entries()) {
      const style = several ? `stroke:${series(index)};${strokes[place].includes("offset") ? strokes[place] : ""}` : "";
      make(chart.plot, "path", { d: path(cell.bounds.rounds, cell.bounds[quantity], chart), class: "bound", style });
      const leading = path(cell.bounds.rounds.slice(0, cell.bounds[`leading_${quantity}`].length), cell.bounds[`leading_${quantity}`], chart);
      make(chart.plot, "path", { d: leading, class: "bound", style: several ? `stroke:${series(index)}` : "", "stroke-dasharray": "8 3 2 3" });
      if (several) continue;
      const sharper = path(cell.bounds.rounds, cell.bounds[`sharper_${quantity}`], chart);
      make(chart.plot, "path", { d: sharper, class: "bound", "stroke-dasharray": "6 4" });
    }
    const rate = here.lower[quantity];
    if (rate) {
      const later = here.rounds.filter((t) => t > 1 && rate * Math.log(t) <= here.steepest[quantity] * t);
      const values = later.map((t) => rate * Math.log(t));
      make(chart.plot, "path", { d: path(later, values, chart), class: "bound", "stroke-dasharray": "1 4" });
    }
  }

  function drawDifference(quantity) {
    const host = byId(`${quantity}-difference`), here = setting(), rounds = here.rounds;
    if (!host) return;
    const lines = visible().filter(({ cell }) => cell[`${quantity}_difference`]);
    const points = ({ cell }) => cell[`${quantity}_difference`];
    const values = [0, ...lines.flatMap((line) => points(line).flat())];
    const low = Math.min(...values), high = Math.max(...values), pad = 0.04 * (high - low || 1);
    const chart = frame(host, 240, [rounds[0], rounds[rounds.length - 1]], [low - pad, high + pad], "round t", state.log, false);
    for (const line of lines) {
      const edge = (which) => rounds.map((t, i) => `${chart.toX(t).toFixed(1)} ${chart.toY(points(line)[i][which]).toFixed(1)}`);
      const area = `M${edge(2).join("L")}L${edge(1).reverse().join("L")}Z`;
      make(chart.plot, "path", { d: area, style: `fill:${series(line.index)};opacity:0.22` });
    }
    make(chart.plot, "line", { x1: MARGIN.left, x2: chart.width - MARGIN.right, y1: chart.toY(0), y2: chart.toY(0), class: "edge" });
    const strokes = dashes(lines, points);
    lines.forEach((line, place) => {
      const d = path(rounds, points(line).map((point) => point[0]), chart, false);
      make(chart.plot, "path", { d, class: "line", style: `stroke:${series(line.index)};${strokes[place]}`, "data-policy": line.cell.policy });
    });
    host.setAttribute("aria-label", `difference of ${quantity} over time, ${lines.length} policies`);
  }

  function marker(parent, kind, x, y, style, size = 1) {
    if (size !== 1) parent = make(parent, "g", { transform: `translate(${x * (1 - size)} ${y * (1 - size)}) scale(${size})` });
    const r = 6;
    const shapes = {
      circle: `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
      square: `M${x - 5} ${y - 5}h10v10h-10Z`,
      triangle: `M${x} ${y - 7}L${x + 6.5} ${y + 5}L${x - 6.5} ${y + 5}Z`,
      diamond: `M${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}L${x - 7} ${y}Z`,
      cross: `M${x - 6} ${y - 2}h4v-4h4v4h4v4h-4v4h-4v-4h-4Z`,
      star: `M${x} ${y - 8}l2 5h6l-5 4l2 6l-5 -4l-5 4l2 -6l-5 -4h6Z`,
    };
    return make(parent, "path", { d: shapes[kind], style });
  }

  function drawTradeoff() {
    const points = group().settings.flatMap((here, which) => here.cells
      .map((cell, index) => ({ cell, index, which, epsilon: here.epsilon }))
      .filter(({ index }) => !state.hidden.has(index)));
    const spread = (name) => points.flatMap(({ cell }) => [cell[name].final[0], cell[name].final[1], cell[name].final[5]]);
    const log = state.log && points.length > 0 && Math.min(...spread("queries"), ...spread("regret")) > 0;
    const padded = (values) => {
      if (!values.length) return [1, 10];
      const low = Math.min(...values), high = Math.max(...values);
      return log ? [low / 1.15, high * 1.15] : [low - 0.05 * (high - low || 1), high + 0.05 * (high - low || 1)];
    };
    const chart = frame(byId("tradeoff"), 380, padded(spread("queries")), padded(spread("regret")), "queries", log);
    make(chart.root, "text", { x: MARGIN.left + 6, y: MARGIN.top + 12 }, "regret");
    const spots = new Map();
    for (const { cell, index, which, epsilon } of points) {
      const spot = JSON.stringify([cell.queries.final, cell.regret.final, which]);
      spots.set(spot, (spots.get(spot) ?? -1) + 1);
      const [qMean, q05, , , , q95] = cell.queries.final, [rMean, r05, , , , r95] = cell.regret.final;
      const x = chart.toX(qMean), y = chart.toY(rMean);
      const quiet = which === state.setting ? "" : "quiet";
      const part = make(chart.plot, "g", { class: quiet, "data-point": cell.policy });
      const style = `stroke:${series(index)};stroke-width:1.3`;
      make(part, "line", { x1: chart.toX(q05), x2: chart.toX(q95), y1: y, y2: y, style });
      make(part, "line", { x1: x, x2: x, y1: chart.toY(r05), y2: chart.toY(r95), style });
      const mark = marker(part, MARKS[which % MARKS.length], x, y, `fill:${series(index)}`, 0.62 ** spots.get(spot));
      make(mark, "title", {}, `${cell.policy}, epsilon ${epsilon}: regret ${finalMean(cell.regret)}, queries ${finalMean(cell.queries)}`);
    }
    if (group().settings.length > 1) {
      group().settings.forEach((here, which) => {
        const y = MARGIN.top + 12 + 17 * which, x = chart.width - MARGIN.right - 12;
        marker(chart.root, MARKS[which % MARKS.length], x, y - 4, "fill:var(--soft)");
        make(chart.root, "text", { x: x - 12, y, "text-anchor": "end" }, here.epsilon);
      });
    }
  }

  function drawSeeds(quantity) {
    const here = setting(), seeds = here[`${quantity}_seeds`], lines = visible();
    const host = byId(`${quantity}-seeds`);
    const edges = seeds.edges, height = 34 * lines.length + MARGIN.top + MARGIN.bottom;
    const width = Math.max(260, host.clientWidth);
    host.replaceChildren();
    const root = make(host, "svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
    const left = 78;
    const pad = 0.03 * (edges[edges.length - 1] - edges[0]);
    const toX = scale(edges[0] - pad, edges[edges.length - 1] + pad, left, width - MARGIN.right, false);
    for (const tick of toX.ticks) {
      make(root, "line", { x1: toX(tick), x2: toX(tick), y1: MARGIN.top, y2: height - MARGIN.bottom, class: "axis" });
      const anchor = toX(tick) > width - 34 ? "end" : "middle";
      make(root, "text", { x: toX(tick), y: height - MARGIN.bottom + 15, "text-anchor": anchor }, tickText(tick, false));
    }
    make(root, "text", { x: (left + width) / 2, y: height - 6, "text-anchor": "middle" }, `${quantity} at the horizon`);
    lines.forEach(({ cell, index }, row) => {
      const middle = MARGIN.top + 34 * row + 17, counts = seeds.counts[index], most = Math.max(...counts, 1);
      counts.forEach((count, bin) => {
        const half = Math.max((count / most) * 13, 0.5), x = toX(edges[bin]);
        if (count) make(root, "rect", { x, width: Math.max(toX(edges[bin + 1]) - x, 1), y: middle - half, height: 2 * half, style: `fill:${series(index)};opacity:0.55` });
      });
      const [mean, q05, , median, , q95] = cell[quantity].final;
      make(root, "line", { x1: toX(q05), x2: toX(q95), y1: middle, y2: middle, style: `stroke:${series(index)};stroke-width:2` });
      make(root, "line", { x1: toX(median), x2: toX(median), y1: middle - 10, y2: middle + 10, class: "strong" });
      make(root, "circle", { cx: toX(mean), cy: middle, r: 3.2, class: "dot" });
      make(root, "text", { x: left - 8, y: middle + 4, "text-anchor": "end", class: "name" }, cell.policy);
    });
  }

  function showDetails() {
    const here = setting(), at = state.at ?? here.rounds.length - 1, host = byId("details");
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const text of [`round ${here.rounds[at].toLocaleString("en")}`, "regret", "5% to 95%", "queries", "5% to 95%"]) {
      const cell = document.createElement("th");
      cell.textContent = text;
      head.appendChild(cell);
    }
    const body = table.createTBody();
    for (const { cell, index } of visible()) {
      const row = body.insertRow();
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = series(index);
      const name = row.insertCell();
      name.append(swatch, cell.policy);
      for (const quantity of ["regret", "queries"]) {
        const [mean, low, high] = cell[quantity].texts[at];
        row.insertCell().textContent = mean;
        row.insertCell().textContent = `${low} to ${high}`;
      }
    }
    host.replaceChildren(table);
  }

  function draw() {
    drawCurve("regret");
    drawCurve("queries");
    sayCoincident();
    drawDifference("regret");
    drawDifference("queries");
    drawTradeoff();
    drawSeeds("regret");
    drawSeeds("queries");
    showDetails();
  }
  function drawMoment() {
    drawCurve("regret");
    drawCurve("queries");
    showDetails();
  }

  // ---- controls

  function field(label) {
    const set = document.createElement("fieldset"), legend = document.createElement("legend");
    legend.textContent = label;
    set.appendChild(legend);
    byId("controls").appendChild(set);
    return set;
  }
  function button(parent, text, pressed, act, colour) {
    const made = document.createElement("button");
    made.type = "button";
    if (colour) {
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = colour;
      made.appendChild(swatch);
    }
    made.append(text);
    made.setAttribute("aria-pressed", String(pressed));
    made.addEventListener("click", () => { act(made); draw(); });
    parent.appendChild(made);
    return made;
  }
  function choices(label, texts, chosen, act) {
    const set = field(label);
    const made = texts.map((text, index) => button(set, text, index === chosen, () => {
      act(index);
      made.forEach((other, number) => other.setAttribute("aria-pressed", String(number === index)));
    }));
  }
  function buildControls() {
    byId("controls").replaceChildren();
    if (data.groups.length > 1) {
      const set = field("instance"), select = document.createElement("select");
      data.groups.forEach((item, index) => select.add(new Option(item.name, index, false, index === state.group)));
      select.addEventListener("change", () => {
        state.group = Number(select.value);
        state.setting = 0;
        state.at = null;
        buildControls();
        draw();
        byId("controls").querySelector("select").focus();
      });
      set.appendChild(select);
    }
    if (group().settings.length > 1) {
      choices("epsilon", group().settings.map((item) => item.epsilon), state.setting, (index) => { state.setting = index; });
    }
    const policies = field("policies");
    data.policies.forEach((policy, index) => button(policies, policy, !state.hidden.has(index), (made) => {
      if (state.hidden.has(index)) state.hidden.delete(index); else state.hidden.add(index);
      made.setAttribute("aria-pressed", String(!state.hidden.has(index)));
    }, series(index)));
    choices("bands", ["5% to 95% of seeds", "95% for the mean"], state.band === "seeds" ? 0 : 1, (index) => {
      state.band = index ? "mean" : "seeds";
    });
    choices("axes", ["logarithmic", "linear"], state.log ? 0 : 1, (index) => { state.log = index === 0; });
    const set = field("");
    button(set, "bounds", state.bounds, (made) => {
      state.bounds = !state.bounds;
      made.setAttribute("aria-pressed", String(state.bounds));
    });
  }

  function nearest(host, event) {
    const rounds = setting().rounds, x = event.clientX - host.getBoundingClientRect().left;
    let best = 0;
    rounds.forEach((t, i) => {
      if (Math.abs(host.chart.toX(t) - x) < Math.abs(host.chart.toX(rounds[best]) - x)) best = i;
    });
    return best;
  }
  for (const host of [byId("regret-curve"), byId("queries-curve")]) {
    host.addEventListener("pointermove", (event) => {
      const at = nearest(host, event);
      if (at !== state.at) { state.at = at; drawMoment(); }
    });
    host.addEventListener("pointerleave", () => { state.at = null; drawMoment(); });
    host.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const last = setting().rounds.length - 1;
      state.at = Math.min(last, Math.max(0, (state.at ?? last) + step));
      drawMoment();
    });
  }

  byId("study").hidden = false;
  buildControls();
  draw();
  let width = document.documentElement.clientWidth;
  window.addEventListener("resize", () => {
    if (document.documentElement.clientWidth !== width) { width = document.documentElement.clientWidth; draw(); }
  });
})();
