"use strict";
// Draws the visible rounds on a canvas: work is proportional to the visible columns and rounds, never to marks on a page.
// The promise of the picture; null where this browser cannot draw it, and the static picture stays.
const BufaluPicture = (async () => {
  if (typeof DecompressionStream === "undefined") return null;
  const story = await BufaluData.read(document.getElementById("story").textContent);
  const total = story.played.length;
  const picture = document.getElementById("picture");
  const canvas = document.getElementById("canvas");
  const details = document.getElementById("details");
  const logarithmic = document.getElementById("logarithmic");
  if (total < 2 || !canvas.getContext) return null;
  for (const part of [picture, details, document.getElementById("tools")]) part.hidden = false;
  document.getElementById("static").hidden = true;

  const LEFT = 80, RIGHT = 58, LOWEST = -0.75, HIGHEST = 1.75, MANY = 5;
  const arms = story.arms.length, initial = arms;
  const crowded = arms > MANY;
  const listeners = [];
  let from = 1, to = total, hovered = null, pending = false, focus = null, changed = null;

  // Sums over rounds, once: of each reason, of queries, of regret where the means are known.
  const sumsOf = (Kind, of) => {
    const sums = new Kind(total + 1);
    for (let i = 0; i < total; i++) sums[i + 1] = sums[i] + of(i);
    return sums;
  };
  const used = story.reasonWords.map((_, reason) => story.reasons.includes(reason));
  const reasonSums = used.map((yes, reason) => (yes ? sumsOf(Int32Array, (i) => (story.reasons[i] === reason ? 1 : 0)) : null));
  const querySums = sumsOf(Int32Array, (i) => story.queried[i]);
  const best = story.means && Math.max(...story.means);
  const regretSums = story.means && sumsOf(Float64Array, (i) => best - story.means[story.played[i] - 1]);

  const colour = (arm) => story.armColours[(arm - 1) % story.armColours.length];
  // The ninth arm has the colour of the first again, and is dashed.
  const dash = (arm) => [[], [6, 3], [2, 2], [8, 2, 2, 2]][Math.floor((arm - 1) / story.armColours.length) % 4];
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const finite = (number, digits) => (Number.isFinite(number) ? number.toPrecision(digits) : "+∞");
  const words = (number) => number.toLocaleString("en", { maximumFractionDigits: 1 });

  const lastAnswerBefore = (arm, round) => story.arms[arm - 1].lastBefore(round);

  // When the answer to a round came, where that was not at once.
  function answeredWords(round) {
    if (!story.answered || !story.queried[round - 1]) return "";
    const known = story.answered[round - 1];
    if (!known) return ", never answered";
    if (known === round + 1) return "";
    return known > story.played.length ? ", answered after the last round" : `, known from round ${known} on`;
  }

  // --- places: rounds go along the axis by themselves or by their logarithm
  const along = (round) => (logarithmic.checked ? Math.log(round) : round);
  const back = (place) => (logarithmic.checked ? Math.exp(place) : place);
  const width = () => Math.max(canvas.clientWidth - LEFT - RIGHT, 40);
  const xOf = (round) => LEFT + width() * (along(round) - along(from)) / Math.max(along(to) - along(from), 1e-9);
  const roundAt = (x) => {
    const place = along(from) + (x - LEFT) / width() * (along(to) - along(from));
    return Math.min(to, Math.max(from, Math.round(back(place))));
  };
  // The rounds of each strip of `step` pixels, as [first, last], without gaps and without repetition.
  function strips(step) {
    const found = [];
    for (let x = LEFT, next = from; x < LEFT + width() && next <= to; x += step) {
      const last = x + step >= LEFT + width() ? to : Math.max(next - 1, roundAt(x + step) - 1);
      if (last >= next) { found.push([next, last]); next = last + 1; }
    }
    return found;
  }

  // --- the layout: a legend above, panels, a legend below
  let panels = {}, tall = 0;
  function flow(pen, items, top) {  // items: [colour, text, arm]; gives their places and the height used
    const places = [];
    let x = LEFT, y = top;
    for (const [fill, text, arm] of items) {
      const wide = pen.measureText(text).width + 34;
      if (x > LEFT && x + wide > canvas.clientWidth - 6) { x = LEFT; y += 18; }
      places.push({ x, y, wide, fill, text, arm });
      x += wide;
    }
    return { places, height: y + 18 - top };
  }
  function layOut(pen) {
    const named = story.arms.map((_, i) => [colour(i + 1), `arm ${i + 1}` + (story.means ? ` (μ ${Number(story.means[i].toPrecision(3))})` : ""), i + 1]);
    const legend = flow(pen, named, 10);
    let top = 10 + legend.height + 8;
    const place = (name, height, gap = 16) => { panels[name] = [top, height]; top += height + gap; };
    panels = { legend: legend.places };
    place("intervals", 250);
    place("queries", Math.max(arms * Math.max(7, Math.min(16, 64 / arms)), 24));
    place("roles", 26, 22);  // below it the caption of the test, which on a narrow screen is wider than the panel
    place("test", 120);
    place("counts", 90);
    place("strip", 24, 22);
    const keys = story.reasonWords.map((text, reason) => [story.reasonColours[reason], text]).filter((_, reason) => used[reason]);
    const decisions = flow(pen, keys, top);
    panels.decisions = decisions.places;
    tall = top + decisions.height + 6;
  }
  const intervalY = (value) => {
    const cut = Math.min(Math.max(value, LOWEST), HIGHEST), [top, height] = panels.intervals;
    return top + height * (HIGHEST - cut) / (HIGHEST - LOWEST);
  };
  const strength = (arm) => (focus === null || focus === arm ? 1 : 0.15);

  function line(pen, points) {
    pen.beginPath();
    points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.stroke();
  }
  function label(pen, text, y) { pen.fillStyle = css("--soft"); pen.textAlign = "right"; pen.fillText(text, LEFT - 6, y); }
  function key(pen, { x, y, fill, text, arm }) {
    pen.globalAlpha = arm ? strength(arm) : 1;
    pen.fillStyle = fill;
    pen.fillRect(x, y, 12, 11);
    if (arm && dash(arm).length) { pen.fillStyle = css("--paper"); pen.fillRect(x + 4, y, 2, 11); pen.fillRect(x + 8, y, 2, 11); }
    pen.fillStyle = css("--ink"); pen.textAlign = "left";
    pen.fillText(text, x + 17, y + 10);
    pen.globalAlpha = 1;
  }

  function drawIntervals(pen, rounds) {
    for (const level of [0, 0.5, 1]) {
      pen.strokeStyle = css("--grid");
      line(pen, [[LEFT, intervalY(level)], [LEFT + width(), intervalY(level)]]);
      label(pen, String(level), intervalY(level) + 4);
    }
    for (let arm = 1; arm <= arms; arm++) {
      const upper = [], lower = [];
      for (const round of rounds) {
        const ends = round > initial ? story.interval(arm, round) : null;
        if (!ends && story.spread !== null) continue;  // without a mean there is nothing to draw
        upper.push([xOf(round), intervalY(ends ? ends[1] : HIGHEST)]);
        lower.push([xOf(round), intervalY(ends ? ends[0] : LOWEST)]);
      }
      pen.globalAlpha = strength(arm);
      // With many arms only the chosen one is filled: layers of colour would hide each other.
      if (!crowded || focus === arm) {
        pen.fillStyle = colour(arm) + "22";
        pen.beginPath();
        upper.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
        [...lower].reverse().forEach(([x, y]) => pen.lineTo(x, y));
        pen.fill();
      }
      pen.strokeStyle = colour(arm);
      pen.setLineDash(dash(arm));
      line(pen, upper);
      line(pen, lower);
      pen.setLineDash([]);
      if (story.means) {
        pen.lineWidth = 2;
        line(pen, [[LEFT + width(), intervalY(story.means[arm - 1])], [LEFT + width() + 12, intervalY(story.means[arm - 1])]]);
        pen.lineWidth = 0.8;
        pen.setLineDash([1, 4]);
        line(pen, [[LEFT, intervalY(story.means[arm - 1])], [LEFT + width(), intervalY(story.means[arm - 1])]]);
        pen.setLineDash([]);
        pen.lineWidth = 1;
      }
      pen.globalAlpha = 1;
    }
    if (story.means) { pen.fillStyle = css("--soft"); pen.textAlign = "left"; pen.fillText("true μ", LEFT + width() + 16, intervalY(Math.max(...story.means)) + 4); }
  }

  function drawQueries(pen, ranges) {
    const [top, height] = panels.queries, lane = height / arms;
    if (lane < 11) label(pen, "queries", top + 10);
    for (let arm = 1; arm <= arms; arm++) {
      const y = top + lane * (arm - 1);
      if (lane >= 11) label(pen, `queries ${arm}`, y + 10);
      pen.globalAlpha = strength(arm);
      pen.fillStyle = colour(arm);
      // One mark for each strip with a query, at its first: as many steps as strips, however many queries.
      for (const [first, last] of ranges) {
        const next = story.arms[arm - 1].nextQuery(first);
        if (next <= last) pen.fillRect(Math.round(xOf(next)), y, 1, lane - 2);
      }
      pen.globalAlpha = 1;
    }
  }

  function drawRoles(pen, ranges) {
    const [top] = panels.roles;
    // A single arm has no challenger.
    [["leader", story.leaders], ["challenger", story.challengers]].slice(0, arms).forEach(([name, holders], row) => {
      label(pen, name, top + row * 13 + 9);
      for (const [first, last] of ranges) {
        if (!holders[first - 1]) continue;
        pen.fillStyle = colour(holders[first - 1]);
        pen.fillRect(xOf(first), top + row * 13, Math.min(Math.max(xOf(last + 1) - xOf(first), 1), LEFT + width() - xOf(first)) + 0.5, 10);
      }
    });
  }

  function drawTest(pen, ranges) {
    const [top, height] = panels.test, buckets = [];
    let peak = 1e-9;
    for (const [first, last] of ranges) {
      let low = Infinity, high = -Infinity, epsilonLow = Infinity, epsilonHigh = -Infinity;
      for (let round = first; round <= last; round++) {
        const u = story.uncertainties[round - 1], e = story.epsilons[round - 1];
        if (e !== e) continue;  // NaN: there is none
        const shown = u < 3 ? u : 3, level = e < 3 ? e : 3;
        if (shown < low) low = shown;
        if (shown > high) high = shown;
        if (level < epsilonLow) epsilonLow = level;
        if (level > epsilonHigh) epsilonHigh = level;
      }
      if (high > -Infinity) { buckets.push([first, low, high, epsilonLow, epsilonHigh]); peak = Math.max(peak, high, epsilonHigh); }
    }
    const y = (value) => top + height * (1 - Math.min(Math.max(value / peak, 0), 1));
    pen.strokeStyle = css("--grid");
    line(pen, [[LEFT, y(0)], [LEFT + width(), y(0)]]);
    label(pen, "0", y(0) + 4);
    label(pen, peak.toPrecision(2), y(peak) + 10);
    pen.strokeStyle = css("--ink");
    line(pen, buckets.flatMap(([first, low, high]) => [[xOf(first), y(high)], [xOf(first), y(low)]]));
    pen.strokeStyle = story.epsilonColour; pen.lineWidth = 2;
    line(pen, buckets.flatMap(([first, , , low, high]) => [[xOf(first), y(high)], [xOf(first), y(low)]]));
    pen.lineWidth = 1;
    pen.textAlign = "right"; pen.fillStyle = story.epsilonColour;
    pen.fillText("ε(t)", LEFT + width(), top - 5);
    pen.fillStyle = css("--ink");
    pen.fillText(`${story.uncertaintyLabel}, and`, LEFT + width() - pen.measureText("ε(t) ").width, top - 5);
  }

  function drawCounts(pen, ranges) {
    const [top, height] = panels.counts;
    const curve = (sums, side, style, text) => {
      const peak = Math.max(sums[to], 1e-9), y = (value) => top + height * (1 - value / peak);
      pen.strokeStyle = style; pen.fillStyle = style;
      line(pen, ranges.map(([, last]) => [xOf(last), y(sums[last])]));
      pen.textAlign = side;
      pen.fillText(words(sums[to]), side === "right" ? LEFT - 6 : LEFT + width() + 4, top + 10);
      pen.fillText(text, side === "right" ? LEFT - 6 : LEFT + width() + 4, top + 24);
    };
    pen.strokeStyle = css("--grid");
    line(pen, [[LEFT, top + height], [LEFT + width(), top + height]]);
    curve(querySums, "right", story.epsilonColour, "queries");
    if (regretSums) curve(regretSums, "left", css("--bad"), "regret");
  }

  function drawStrip(pen, ranges) {
    const [top, height] = panels.strip;
    label(pen, "decision", top + 16);
    for (const [first, last] of ranges) {
      const x = xOf(first), wide = Math.min(Math.max(xOf(Math.min(last + 1, to)) - x, 1), LEFT + width() - x) + 0.7;
      let y = top;
      reasonSums.forEach((sums, reason) => {
        if (!sums) return;
        const share = (sums[last] - sums[first - 1]) / (last - first + 1) * height;
        if (!share) return;
        pen.fillStyle = story.reasonColours[reason];
        pen.fillRect(x, y, wide, share);
        y += share;
      });
    }
    pen.fillStyle = css("--soft");
    const middle = roundAt(LEFT + width() / 2);
    for (const [round, side] of [[from, "left"], [middle, "center"], [to, "right"]]) {
      pen.textAlign = side; pen.fillText(round.toLocaleString("en"), xOf(round), top + height + 15);
    }
  }

  function mark(pen, round, style) {
    if (round === null || round < from || round > to) return;
    pen.strokeStyle = style;
    pen.setLineDash([3, 2]);
    line(pen, [[xOf(round), panels.intervals[0]], [xOf(round), panels.strip[0] + panels.strip[1]]]);
    pen.setLineDash([]);
  }

  function draw() {
    pending = false;
    const ratio = window.devicePixelRatio || 1, pen = canvas.getContext("2d");
    pen.font = "12px system-ui, sans-serif";
    layOut(pen);
    canvas.style.height = `${tall}px`;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = tall * ratio;
    pen.scale(ratio, ratio);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = css("--paper");
    pen.fillRect(0, 0, canvas.clientWidth, tall);
    const fine = strips(1), coarse = strips(2);
    panels.legend.forEach((item) => key(pen, item));
    drawIntervals(pen, [...coarse.map(([first]) => first), to]);
    drawQueries(pen, fine);
    drawRoles(pen, coarse);
    drawTest(pen, fine);
    drawCounts(pen, fine);
    drawStrip(pen, fine);
    panels.decisions.forEach((item) => key(pen, item));
    mark(pen, story.divergence, "#c1121f");
    mark(pen, changed, story.epsilonColour);
    mark(pen, hovered, css("--ink"));
    picture.dataset.from = from;
    picture.dataset.to = to;
  }

  const redraw = () => { if (!pending) { pending = true; requestAnimationFrame(draw); } };

  function show(round) {
    hovered = round;
    const row = (cells, tag) => "<tr>" + cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("") + "</tr>";
    const rows = [], digits = canvas.clientWidth < 600 ? 5 : 8;
    for (let arm = 1; arm <= arms; arm++) {
      const at = lastAnswerBefore(arm, round), ends = story.interval(arm, round, at);
      const roles = [];
      if (story.leaders[round - 1] === arm) roles.push("leader");
      if (story.challengers[round - 1] === arm) roles.push("challenger");
      if (story.played[round - 1] === arm) roles.push(story.queried[round - 1] ? "played, queried" : "played");
      const index = story.spread === null ? null : story.index(arm, round);
      rows.push(row([
        `<span class="swatch" style="background:${colour(arm)}"></span>${arm}`, at + 1, at < 0 ? "–" : story.exactMean(arm, at),
        ...(story.spread === null
          ? [ends ? ends[0].toPrecision(digits) : "−∞", ends ? ends[1].toPrecision(digits) : "+∞"]
          : [index === null ? "–" : finite(index, digits)]),
        roles.join(", "),
      ], "td"));
    }
    const reward = story.rewards[round - 1], e = story.epsilons[round - 1], u = story.uncertainties[round - 1];
    // From the first divergent round on the reason is the rule's, and what was done may be something else.
    const wrong = story.divergence ?? Infinity, whose = round < wrong ? "" : round === wrong ? "does not conform; by the rule " : "by the rule ";
    details.innerHTML = `<p><strong>Round ${round.toLocaleString("en")}</strong>: ${whose}${story.reasonWords[story.reasons[round - 1]]}` +
      (reward === null ? "" : `, reward ${reward}`) + answeredWords(round) + (Number.isNaN(e) ? "" : `; ε = ${finite(e, digits)}, ${story.uncertaintyLabel} = ${finite(u, digits)}`) +
      `; so far ${words(querySums[round])} ${querySums[round] === 1 ? "query" : "queries"}` + (regretSums ? `, regret ${words(regretSums[round])}` : "") +
      "</p><table>" + row(["arm", story.answered ? "answers" : "queries", "exact mean", ...(story.spread === null ? ["LCB", "UCB"] : ["index"]), "role"], "th") + rows.slice(0, 40).join("") + "</table>" +
      `<p class="hint">Counts, rewards and means are exact, and roles and reasons were decided exactly; the other numbers are rounded to the digits shown.</p>`;
    listeners.forEach((listener) => listener(round));
    redraw();
  }

  function view(low, high) {
    from = Math.max(1, Math.min(Math.round(low), total - 1));
    to = Math.min(total, Math.max(Math.round(high), from + 1));
    redraw();
  }
  function zoom(factor, centre) {
    const least = Math.min(total - 1, 20);
    if (factor < 1 && to - from <= least) return;
    const middle = along(centre), low = back(middle - (middle - along(from)) * factor), high = back(middle + (along(to) - middle) * factor);
    if (high - low >= least) view(low, high); else view(Math.max(1, centre - least / 2), Math.max(1, centre - least / 2) + least);
  }
  function move(share) {
    const span = along(to) - along(from), low = Math.max(along(1), Math.min(along(from) + share * span, along(total) - span));
    view(back(low), back(low + span));
  }
  const reset = () => view(1, total);

  let dragged = null;
  picture.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY > 0 ? 1.25 : 0.8, roundAt(event.offsetX)); }, { passive: false });
  picture.addEventListener("pointerdown", (event) => {
    const hit = panels.legend.find((item) => event.offsetX >= item.x && event.offsetX < item.x + item.wide && event.offsetY >= item.y - 3 && event.offsetY < item.y + 15);
    if (hit) { focus = focus === hit.arm ? null : hit.arm; redraw(); return; }
    dragged = event.offsetX; picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointerup", () => { dragged = null; });
  picture.addEventListener("pointermove", (event) => {
    if (dragged !== null && event.offsetX !== dragged) { move((dragged - event.offsetX) / width()); dragged = event.offsetX; }
    show(roundAt(event.offsetX));
  });
  picture.addEventListener("dblclick", reset);
  picture.addEventListener("keydown", (event) => {
    const centre = hovered === null || hovered < from || hovered > to ? roundAt(LEFT + width() / 2) : hovered;
    const nextArm = () => { focus = focus === null ? 1 : focus === arms ? null : focus + 1; redraw(); };
    const actions = {
      "+": () => zoom(0.5, centre), "=": () => zoom(0.5, centre), "-": () => zoom(2, centre), "0": reset,
      ArrowLeft: () => move(-0.1), ArrowRight: () => move(0.1), a: nextArm,
      ",": () => show(Math.max(from, centre - 1)), ".": () => show(Math.min(to, centre + 1)),
    };
    if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
  });
  logarithmic.addEventListener("change", redraw);
  window.addEventListener("resize", redraw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  draw();
  show(story.divergence === null ? Math.min(total, initial + 1) : story.divergence);

  return { story, show, onShow: (listener) => listeners.push(listener), markChange: (round) => { changed = round; redraw(); } };
})();
