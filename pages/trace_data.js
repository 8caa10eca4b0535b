"use strict";
// The data of a trace's page, unpacked: typed arrays over rounds from round 1 on, and each arm after each of its queries.
// A number that there is not is NaN, an arm that there is not is 0. Nothing here is rounded but means, variances and
// uncertainties, which are doubles for drawing; `exactMean` has the mean of what an arm showed as a rational.
const BufaluData = (() => {
  async function inflated(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  }

  // Second differences of the bits of doubles, the sign in the lowest bit, byte by byte.
  function doubles(planes, count) {
    const bytes = new Uint8Array(8 * count);
    for (let plane = 0; plane < 8; plane++) for (let i = 0; i < count; i++) bytes[8 * i + plane] = planes[plane * count + i];
    const bits = new BigInt64Array(bytes.buffer), folded = new BigUint64Array(bytes.buffer);
    let before = 0n, last = 0n;
    for (let i = 0; i < count; i++) {
      const step = (folded[i] >> 1n) ^ -(folded[i] & 1n);
      bits[i] = step + 2n * last - before;  // modulo 2^64
      before = last;
      last = bits[i];
    }
    return new Float64Array(bytes.buffer);
  }

  async function unpacked(value) {
    if (value === null || typeof value !== "object" || typeof value.data !== "string") return value;
    const buffer = await inflated(value.data);
    if (value.text) return new TextDecoder().decode(buffer);
    if ("doubles" in value) return doubles(new Uint8Array(buffer), value.doubles);
    return new { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[value.bytes](buffer);
  }

  // The rounds of an arm's queries; for each answer the last round that did not know it, and mean and variance after it:
  // Welford's sums, which lose few digits.
  class Arm {
    constructor(queries) {
      this.asked = new Uint32Array(queries);
      this.questions = 0;
      this.rounds = new Uint32Array(queries);
      this.means = new Float64Array(queries);
      this.variances = new Float64Array(queries);
      this.places = new Uint32Array(queries);
      this.size = 0;
      this.kept = [];
    }
    see(round, place, value) {
      const n = ++this.size, at = n - 1, mean = at ? this.means[at - 1] : 0, spread = at > 1 ? this.variances[at - 1] * (at - 1) : 0;
      this.rounds[at] = round;
      this.places[at] = place;
      this.means[at] = mean + (value - mean) / n;
      this.variances[at] = n > 1 ? (spread + (value - mean) * (value - this.means[at])) / (n - 1) : 0;
    }
    lastBefore(round) {
      return before(this.rounds, this.size, round) - 1;
    }
    nextQuery(round) {
      return this.asked[before(this.asked, this.asked.length, round)];
    }
  }
  // How many of the first entries, which never fall, lie below a round.
  function before(entries, size, round) {
    let low = 0, high = size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (entries[middle] < round) low = middle + 1; else high = middle;
    }
    return low;
  }
  const EVERY = 1024;  // so many queries lie between two exact sums that are kept
  function exactSum(arm, at, rewards) {
    const start = Math.floor((at + 1) / EVERY);
    for (let k = arm.kept.length; k <= start; k++) {
      let sum = k ? arm.kept[k - 1] : [0n, 1n];
      for (let i = (k - 1) * EVERY; k && i < k * EVERY; i++) sum = BufaluReplay.added(sum, rewards[arm.places[i]]);
      arm.kept.push(sum);
    }
    let sum = arm.kept[start];
    for (let i = start * EVERY; i <= at; i++) sum = BufaluReplay.added(sum, rewards[arm.places[i]]);
    return sum;
  }

  function double(reward) {
    const [p, q] = BufaluReplay.rational(reward), near = Number(p) / Number(q);
    return Number.isFinite(near) ? near : Number((p << 64n) / q) / 2 ** 64;  // for whole numbers beyond every double
  }

  async function read(text) {
    const packed = JSON.parse(text), story = {};
    await Promise.all(Object.keys(packed).map(async (name) => { story[name] = await unpacked(packed[name]); }));
    const total = story.played.length, count = packed.arms, places = story.rewards;
    const texts = story.rewardTexts ? story.rewardTexts.split(" ") : [];
    const values = texts.map(double);
    const queries = new Uint32Array(count + 1);
    for (let i = 0; i < total; i++) queries[story.played[i]] += story.queried[i];
    story.arms = Array.from({ length: count }, (_, arm) => new Arm(queries[arm + 1]));
    story.rewards = new Array(total).fill(null);
    let answers = [];  // the first round that knew it, the arm, and the place of the reward
    for (let i = 0; i < total; i++) {
      if (!story.queried[i]) continue;
      const arm = story.arms[story.played[i] - 1], known = story.answered ? story.answered[i] : i + 2;
      arm.asked[arm.questions++] = i + 1;
      if (!known) continue;
      const place = places[answers.length];
      story.rewards[i] = texts[place];
      answers.push([known, story.played[i], place]);
    }
    if (story.answered) answers.sort((one, other) => one[0] - other[0]);
    for (const [known, arm, place] of answers) story.arms[arm - 1].see(known - 1, place, values[place]);
    let exact = null;
    story.exactMean = (arm, at) => {
      exact ??= texts.map(BufaluReplay.rational);
      return BufaluReplay.shown(BufaluReplay.over(exactSum(story.arms[arm - 1], at, exact), at + 1));
    };
    story.interval = (arm, round, at = story.arms[arm - 1].lastBefore(round)) => interval(story, arm, round, at);
    story.index = (arm, round) => index(story, arm, round);
    story.uncertainties ??= uncertainties(story, total, count, answers);
    return story;
  }

  // LCB and UCB of an arm at the start of a round, `at` being its last answer before; null while they are infinite.
  function interval(story, arm, round, at) {
    const n = at + 1, { shape } = story, record = story.arms[arm - 1];
    if (n < Math.max(shape.neededQueries, 1)) return null;
    const log = Math.log(Math.max(round - (shape.growth === "ln(t - 1)" ? 1 : 0), 1));
    const growth = shape.growth.startsWith("ln") ? log : Math.max(0, log + 3 * Math.log(log));
    let radius = 0;
    for (const term of shape.terms) {
      const part = term.coefficient * (term.usesVariance ? record.variances[at] : 1) * growth / (n - term.offset);
      radius += term.rooted ? Math.sqrt(part) : part;
    }
    return [record.means[at] - radius, record.means[at] + radius];
  }

  // The pair rule: the mean of an arm less that of the leader of a round, and the radius of the two; null without a leader.
  function index(story, arm, round) {
    const leader = story.leaders[round - 1], { spread } = story;
    if (!leader || arm === leader) return null;
    const known = [arm, leader].map((each) => [story.arms[each - 1], story.arms[each - 1].lastBefore(round)]);
    if (known.some(([, at]) => at < 0)) return Infinity;
    const [[one, here], [other, there]] = known, n = here + 1, m = there + 1;
    const growth = Math.log(round * round.toString(2).length) + (Math.log((n + spread) / spread) + Math.log((m + spread) / spread)) / 2;
    return one.means[here] - other.means[there] + Math.sqrt(growth / 2 * ((n + spread) / n ** 2 + (m + spread) / m ** 2));
  }

  // UCB(candidate) less LCB(leader), or less its own LCB, in every round.
  function uncertainties(story, total, count, answers) {
    const found = new Float64Array(total).fill(NaN), last = new Int32Array(count + 1).fill(-1);
    for (let i = 0, next = 0; i < total; i++) {
      while (next < answers.length && answers[next][0] <= i + 1) last[answers[next++][1]] += 1;
      const candidate = story.candidates[i], below = story.againstLeader ? story.leaders[i] : candidate;
      if (candidate) {
        const above = interval(story, candidate, i + 1, last[candidate]), under = interval(story, below, i + 1, last[below]);
        found[i] = above && under ? above[1] - under[0] : Infinity;
      }
    }
    return found;
  }

  return { read };
})();
if (typeof module !== "undefined") module.exports = BufaluData;
