"use strict";
// Draws the visible rounds on a canvas: work is proportional to the visible columns and rounds, never to marks on a page.
(() => {
  const story = JSON.parse(document.getElementById("story").textContent);
  const total = story.played.length;
  const picture = document.getElementById("picture");
  const canvas = document.getElementById("canvas");
  const details = document.getElementById("details");
  if (total < 2 || !canvas.getContext) return;
  picture.hidden = false;
  details.hidden = false;
  document.getElementById("static").hidden = true;

  const LEFT = 80, RIGHT = 14, LOWEST = -0.75, HIGHEST = 1.75;
  const PANELS = { intervals: [16, 270], queries: [294, 60], roles: [366, 26], test: [408, 140], strip: [562, 24] };
  const arms = story.arms.length;
  const initial = arms;
  let from = 1, to = total, hovered = null, pending = false;

  const reasonSums = story.reasonWords.map((_, reason) => {
    const sums = new Int32Array(total + 1);
    for (let i = 0; i < total; i++) sums[i + 1] = sums[i] + (story.reasons[i] === reason ? 1 : 0);
    return sums;
  });

  const colour = (arm) => story.armColours[(arm - 1) % story.armColours.length];
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function lastQueryBefore(arm, round) {
    const rounds = story.arms[arm - 1].rounds;
    let low = 0, high = rounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rounds[middle] < round) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  function interval(arm, round) {
    const at = lastQueryBefore(arm, round), record = story.arms[arm - 1];
    if (at < 0) return null;
    const n = record.counts[at], mean = record.means[at], log = Math.log(round);
    if (n < story.shape.neededQueries) return null;
    const growth = story.shape.growth === "ln t" ? log : Math.max(0, log + 3 * Math.log(log));
    let radius = 0;
    for (const term of story.shape.terms) {
      const part = term.coefficient * (term.usesVariance ? record.variances[at] : 1) * growth / (n - term.offset);
      radius += term.rooted ? Math.sqrt(part) : part;
    }
    return [mean - radius, mean + radius];
  }

  const width = () => canvas.clientWidth - LEFT - RIGHT;
  const xOf = (round) => LEFT + width() * (round - from) / Math.max(to - from, 1);
  const roundAt = (x) => Math.min(to, Math.max(from, Math.round(from + (x - LEFT) / width() * (to - from))));
  const intervalY = (value) => {
    const cut = Math.min(Math.max(value, LOWEST), HIGHEST), [top, height] = PANELS.intervals;
    return top + height * (HIGHEST - cut) / (HIGHEST - LOWEST);
  };

  function drawIntervals(pen, columns) {
    for (const level of [0, 0.5, 1]) {
      pen.strokeStyle = css("--grid");
      pen.beginPath(); pen.moveTo(LEFT, intervalY(level)); pen.lineTo(LEFT + width(), intervalY(level)); pen.stroke();
      label(pen, String(level), intervalY(level) + 4);
    }
    for (let arm = 1; arm <= arms; arm++) {
      const upper = [], lower = [];
      for (const round of columns) {
        const ends = round > initial ? interval(arm, round) : null;
        upper.push([xOf(round), intervalY(ends ? ends[1] : HIGHEST)]);
        lower.push([xOf(round), intervalY(ends ? ends[0] : LOWEST)]);
      }
      pen.fillStyle = colour(arm) + "22";
      pen.beginPath();
      upper.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      lower.reverse().forEach(([x, y]) => pen.lineTo(x, y));
      pen.fill();
      pen.strokeStyle = colour(arm);
      for (const line of [upper, lower]) {
        pen.beginPath();
        line.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
        pen.stroke();
      }
    }
  }

  function drawQueries(pen) {
    const [top, height] = PANELS.queries, lane = height / Math.min(arms, 8);
    label(pen, "queries", top + 10);
    for (let arm = 1; arm <= arms; arm++) {
      const rounds = story.arms[arm - 1].rounds, y = top + lane * ((arm - 1) % 8);
      pen.fillStyle = colour(arm);
      let drawn = -1;
      for (let i = lastQueryBefore(arm, from) + 1; i < rounds.length && rounds[i] <= to; i++) {
        const x = Math.round(xOf(rounds[i]));
        if (x !== drawn) { pen.fillRect(x, y, 1, lane - 2); drawn = x; }
      }
    }
  }

  function drawRoles(pen, columns) {
    const [top] = PANELS.roles, step = width() / columns.length + 1;
    [["leader", story.leaders], ["challenger", story.challengers]].forEach(([name, holders], row) => {
      label(pen, name, top + row * 13 + 9);
      for (const round of columns) {
        if (!holders[round - 1]) continue;
        pen.fillStyle = colour(holders[round - 1]);
        pen.fillRect(xOf(round), top + row * 13, Math.min(step, LEFT + width() - xOf(round)), 10);
      }
    });
  }

  function drawTest(pen) {
    const [top, height] = PANELS.test, span = Math.max(1, Math.floor((to - from) / width()));
    let peak = 1e-9;
    const buckets = [];
    for (let start = from; start <= to; start += span) {
      let low = Infinity, high = -Infinity, epsilonLow = Infinity, epsilonHigh = -Infinity;
      for (let round = start; round < start + span && round <= to; round++) {
        const u = story.uncertainties[round - 1], e = story.epsilons[round - 1];
        if (e === null) continue;
        const shown = u === null ? 3 : Math.min(u, 3);
        low = Math.min(low, shown); high = Math.max(high, shown);
        epsilonLow = Math.min(epsilonLow, e); epsilonHigh = Math.max(epsilonHigh, Math.min(e, 3));
      }
      if (high > -Infinity) { buckets.push([start, low, high, Math.min(epsilonLow, 3), epsilonHigh]); peak = Math.max(peak, high, epsilonHigh); }
    }
    const y = (value) => top + height * (1 - Math.min(Math.max(value / peak, 0), 1));
    pen.strokeStyle = css("--grid");
    pen.beginPath(); pen.moveTo(LEFT, y(0)); pen.lineTo(LEFT + width(), y(0)); pen.stroke();
    label(pen, "0", y(0) + 4);
    label(pen, peak.toPrecision(2), y(peak) + 10);
    pen.strokeStyle = css("--ink");
    pen.beginPath();
    buckets.forEach(([start, low, high], i) => {
      const x = xOf(start);
      if (i) pen.lineTo(x, y(high)); else pen.moveTo(x, y(high));
      pen.lineTo(x, y(low));
    });
    pen.stroke();
    pen.strokeStyle = "#cc79a7"; pen.lineWidth = 2;
    pen.beginPath();
    buckets.forEach(([start, , , low, high], i) => {
      const x = xOf(start);
      if (i) pen.lineTo(x, y(high)); else pen.moveTo(x, y(high));
      if (high !== low) pen.lineTo(x, y(low));
    });
    pen.stroke();
    pen.lineWidth = 1;
    pen.fillStyle = css("--ink"); pen.textAlign = "right";
    pen.fillText(`line: ${story.uncertaintyLabel}   pink: ε(t)`, LEFT + width(), top + 10);
  }

  function drawStrip(pen) {
    const [top, height] = PANELS.strip, columns = Math.min(width(), to - from + 1);
    for (let column = 0; column < columns; column++) {
      const start = from - 1 + Math.floor((to - from + 1) * column / columns);
      const end = Math.max(start + 1, from - 1 + Math.floor((to - from + 1) * (column + 1) / columns));
      const x = LEFT + width() * column / columns;
      let y = top;
      reasonSums.forEach((sums, reason) => {
        const share = (sums[end] - sums[start]) / (end - start) * height;
        if (!share) return;
        pen.fillStyle = story.reasonColours[reason];
        pen.fillRect(x, y, width() / columns + 0.7, share);
        y += share;
      });
    }
    pen.fillStyle = css("--soft");
    pen.textAlign = "left"; pen.fillText(from.toLocaleString("en"), LEFT, top + height + 16);
    pen.textAlign = "right"; pen.fillText(to.toLocaleString("en"), LEFT + width(), top + height + 16);
  }

  function label(pen, text, y) {
    pen.fillStyle = css("--soft"); pen.textAlign = "right"; pen.fillText(text, LEFT - 6, y);
  }

  function mark(pen, round, style) {
    if (round === null || round < from || round > to) return;
    pen.strokeStyle = style;
    pen.setLineDash([3, 2]);
    pen.beginPath(); pen.moveTo(xOf(round), PANELS.intervals[0]); pen.lineTo(xOf(round), PANELS.strip[0] + PANELS.strip[1]); pen.stroke();
    pen.setLineDash([]);
  }

  function draw() {
    pending = false;
    const ratio = window.devicePixelRatio || 1, height = canvas.clientHeight;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = css("--paper");
    pen.fillRect(0, 0, canvas.clientWidth, height);
    const count = Math.min(Math.max(2, Math.floor(width() / 2)), to - from + 1), columns = [];
    for (let i = 0; i < count; i++) columns.push(from + Math.floor((to - from) * i / Math.max(count - 1, 1)));
    drawIntervals(pen, columns);
    drawQueries(pen);
    drawRoles(pen, columns);
    drawTest(pen);
    drawStrip(pen);
    mark(pen, story.divergence, "#c1121f");
    mark(pen, hovered, css("--ink"));
    picture.dataset.from = from;
    picture.dataset.to = to;
  }

  const redraw = () => { if (!pending) { pending = true; requestAnimationFrame(draw); } };

  function show(round) {
    hovered = round;
    const row = (cells, tag) => "<tr>" + cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("") + "</tr>";
    const rows = [];
    for (let arm = 1; arm <= arms; arm++) {
      const at = lastQueryBefore(arm, round), record = story.arms[arm - 1], ends = at < 0 ? null : interval(arm, round);
      const roles = [];
      if (story.leaders[round - 1] === arm) roles.push("leader");
      if (story.challengers[round - 1] === arm) roles.push("challenger");
      if (story.played[round - 1] === arm) roles.push(story.queried[round - 1] ? "played, queried" : "played");
      rows.push(row([
        `<span class="swatch" style="background:${colour(arm)}"></span>${arm}`, at < 0 ? 0 : record.counts[at], at < 0 ? "–" : record.exact[at],
        ends ? ends[0].toPrecision(12) : "−∞", ends ? ends[1].toPrecision(12) : "+∞", roles.join(", "),
      ], "td"));
    }
    const reward = story.rewards[round - 1], e = story.epsilons[round - 1], u = story.uncertainties[round - 1];
    details.innerHTML = `<strong>Round ${round.toLocaleString("en")}</strong>: ${story.reasonWords[story.reasons[round - 1]]}` +
      (reward === null ? "" : `, reward ${reward}`) + (e === null ? "" : `; ε = ${e.toPrecision(12)}, ${story.uncertaintyLabel} = ${u === null ? "+∞" : u.toPrecision(12)}`) +
      "<table>" + row(["arm", "queries", "mean (exact)", "LCB", "UCB", "role"], "th") + rows.slice(0, 40).join("") + "</table>";
    redraw();
  }

  function zoom(factor, centre) {
    const span = Math.min(total - 1, Math.max(20, Math.round((to - from) * factor)));
    const share = (centre - from) / Math.max(to - from, 1);
    from = Math.round(centre - span * share);
    from = Math.max(1, Math.min(from, total - span));
    to = from + span;
    redraw();
  }

  function move(by) {
    const span = to - from;
    from = Math.max(1, Math.min(from + by, total - span));
    to = from + span;
    redraw();
  }

  const reset = () => { from = 1; to = total; redraw(); };
  let dragged = null;
  picture.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY > 0 ? 1.25 : 0.8, roundAt(event.offsetX)); }, { passive: false });
  picture.addEventListener("pointerdown", (event) => { dragged = [event.offsetX, from]; picture.setPointerCapture(event.pointerId); });
  picture.addEventListener("pointerup", () => { dragged = null; });
  picture.addEventListener("pointermove", (event) => {
    if (dragged) move(Math.round(dragged[1] - from - (event.offsetX - dragged[0]) / width() * (to - from)));
    show(roundAt(event.offsetX));
  });
  picture.addEventListener("dblclick", reset);
  picture.addEventListener("keydown", (event) => {
    const centre = hovered === null || hovered < from || hovered > to ? Math.round((from + to) / 2) : hovered;
    const step = Math.max(1, Math.round((to - from) / 10));
    const actions = {
      "+": () => zoom(0.5, centre), "=": () => zoom(0.5, centre), "-": () => zoom(2, centre), "0": reset,
      ArrowLeft: () => move(-step), ArrowRight: () => move(step),
      ",": () => show(Math.max(from, centre - 1)), ".": () => show(Math.min(to, centre + 1)),
    };
    if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
  });
  window.addEventListener("resize", redraw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  draw();
  show(story.divergence === null ? Math.min(total, initial + 1) : story.divergence);
})();
