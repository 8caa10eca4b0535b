"use strict";
// The rule of a policy, decided in the page without any rounding that is not accounted for: rationals are pairs of BigInts,
// and ln, roots and quotients are enclosed by whole multiples of 2^-bits, a lower and an upper one. A comparison is decided
// when the enclosures part, or when both sides are known to be the same number; more bits are tried, and where that does
// not help the page says that it cannot decide. Nothing here uses the browser's own logarithm or square root.
const BufaluReplay = (() => {
  const BEFORE = "ln(t - 1)";  // the growth that takes the logarithm of the rounds before
  const BITS = [96, 192, 384, 768];
  class Undecided extends Error {}
  class Unreadable extends Error {}

  // --- rationals: [numerator, positive denominator]
  const gcd = (a, b) => { a = a < 0n ? -a : a; while (b) [a, b] = [b, a % b]; return a; };
  const reduced = (p, q) => { const g = gcd(p, q) || 1n; return q < 0n ? [-p / g, -q / g] : [p / g, q / g]; };
  const plus = ([a, b], [c, d]) => (b === d ? reduced(a + c, b) : reduced(a * d + c * b, b * d));
  // The same without lowest terms where one denominator divides the other: for long sums.
  const added = ([a, b], [c, d]) => (b % d === 0n ? [a + c * (b / d), b] : d % b === 0n ? [a * (d / b) + c, d] : plus([a, b], [c, d]));
  const minus = (x, [c, d]) => plus(x, [-c, d]);
  const times = ([a, b], [c, d]) => reduced(a * c, b * d);
  const over = ([a, b], n) => reduced(a, b * BigInt(n));
  const signOf = (n) => (n > 0n ? 1 : n < 0n ? -1 : 0);
  const compare = ([a, b], [c, d]) => signOf(a * d - c * b);

  // "3/4", "0.75", "1" and "1e-3"; anything else is refused.
  function rational(text) {
    const words = String(text).trim();
    let found = /^([+-]?\d+)\/(\d+)$/.exec(words);
    if (found) {
      if (BigInt(found[2]) === 0n) throw new Unreadable(`'${words}' divides by zero`);
      return reduced(BigInt(found[1]), BigInt(found[2]));
    }
    found = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(words);
    if (!found) throw new Unreadable(`'${words.slice(0, 40)}' is not a number such as 3/4 or 0.75`);
    const places = (found[3] || "").length - Number(found[4] || 0);
    const digits = BigInt(found[2] + (found[3] || "")) * (found[1] === "-" ? -1n : 1n);
    return places >= 0 ? reduced(digits, 10n ** BigInt(places)) : reduced(digits * 10n ** BigInt(-places), 1n);
  }
  const shown = ([p, q]) => (q === 1n ? `${p}` : `${p}/${q}`);

  // --- enclosures: [lower, upper] in units of 2^-bits
  const floor = (p, q) => (p >= 0n ? p / q : -((-p + q - 1n) / q));
  const ceiling = (p, q) => -floor(-p, q);
  const enclosed = ([p, q], bits) => [floor(p << BigInt(bits), q), ceiling(p << BigInt(bits), q)];
  function root(n) {  // the largest r with r * r <= n
    if (n < 2n) return n;
    let r = 1n << BigInt((n.toString(16).length * 4 + 2) >> 1);
    for (;;) { const next = (r + n / r) >> 1n; if (next >= r) return r; r = next; }
  }
  function rootOf(n, degree) {  // the same for any degree
    if (n < 2n) return n;
    const d = BigInt(degree);
    let r = 1n << BigInt(Math.ceil((n.toString(16).length * 4) / degree) + 1);
    for (;;) { const next = ((d - 1n) * r + n / r ** (d - 1n)) / d; if (next >= r) return r; r = next; }
  }
  const squareRoot = ([low, high], bits) => [root(low << BigInt(bits)), root(high << BigInt(bits)) + 1n];
  const scaled = ([low, high], [p, q]) => [floor(low * p, q), ceiling(high * p, q)];  // by a rational >= 0

  // ln t = k ln 2 + 2 artanh((t - 2^k)/(t + 2^k)). Each of the at most 400 terms of a series is too small by less than
  // 4 units of the working precision, and k <= 60: less than 2^20 units are missing in all, and 32 spare bits are kept.
  const SPARE = 32n, MISSING = 1n << 20n;
  const logarithms = new Map();
  function artanh(p, q, work) {
    const z = (p << work) / q, square = (z * z) >> work;
    let power = z, sum = 0n;
    for (let k = 1n; power > 0n; k += 2n) { sum += power / k; power = (power * square) >> work; }
    return sum;
  }
  function logarithm(t, bits) {
    if (t === 1) return [0n, 0n];
    const key = `${t} ${bits}`;
    if (!logarithms.has(key)) {
      if (logarithms.size > 50000) logarithms.clear();
      const work = BigInt(bits) + SPARE, n = BigInt(t);
      const k = t.toString(2).length - 1, two = 1n << BigInt(k);
      if (k > 60) throw new Undecided("the round's number is too large for this page");
      const low = 2n * (BigInt(k) * artanh(1n, 3n, work) + artanh(n - two, n + two, work));
      logarithms.set(key, [low >> SPARE, ((low + MISSING) >> SPARE) + 1n]);
    }
    return logarithms.get(key);
  }

  // --- epsilon: {rational} or {enclose(t, bits)}, with the budget's total where a tie can be exact
  function schedule(text, arms) {
    const [name, argument] = String(text).split(":");
    if (name === "zero") return () => ({ rational: [0n, 1n] });
    if (name === "constant") { const value = rational(argument); return () => ({ rational: value }); }
    if (name === "inverse-log") {
      return (t) => ({ enclose: (bits) => {
        const [low, high] = logarithm(t, bits), one = 1n << BigInt(2 * bits);
        return [one / high, ceiling(one, low)];
      } });
    }
    if (name === "power") {
      const [u, v] = rational(argument);
      if (u < 0n || u > 40n || v > 24n) return null;
      return (t) => ({ enclose: (bits) => {
        const inside = 1n << BigInt(bits * Number(v)), below = BigInt(t) ** u;
        const low = rootOf(inside / below, Number(v));
        return [low, low + (low ** v * below === inside ? 0n : 1n)];
      } });
    }
    if (name === "budget") {
      const total = rational(argument), share = over(times([6n * BigInt(arms), 1n], [total[1], total[0]]), 1);
      return (t) => ({ budget: total, enclose: (bits) => squareRoot(scaled(logarithm(t, bits), share), bits) });
    }
    return null;
  }
  const epsilonAt = (epsilon, bits) => (epsilon.rational ? enclosed(epsilon.rational, bits) : epsilon.enclose(bits));

  // --- the sign of a difference of two finite numbers
  function sign(difference, words) {
    for (const bits of BITS) {
      const [low, high] = difference(bits);
      if (low > 0n) return 1;
      if (high < 0n) return -1;
      if (low === 0n && high === 0n) return 0;
    }
    throw new Undecided(`${words}: equal to ${BITS[BITS.length - 1]} bits`);
  }

  // --- one round as the policies see it; arms are numbered from 1
  class View {
    constructor(records, shape, round, epsilon) {
      this.records = records; this.shape = shape; this.round = round; this.epsilon = epsilon; this.arms = records.length;
      this.kept = new Map();
    }
    record(arm) { return this.records[arm - 1]; }
    finite(arm) { return this.record(arm).n >= this.shape.neededQueries; }
    variance(arm) {
      const { n, total, squares } = this.record(arm);
      if (n < 2) return [0n, 1n];
      return over(minus(squares, over(times(total, total), n)), n - 1);
    }
    radius(arm, bits) {
      const key = `r${arm} ${bits}`;
      if (!this.kept.has(key)) {
        const { n } = this.record(arm), log = logarithm(this.round - (this.shape.growth === BEFORE ? 1 : 0), bits);
        let sum = [0n, 0n];
        for (const term of this.shape.terms) {
          let factor = over(rational(term.exact), n - term.offset);
          if (term.usesVariance) factor = times(factor, this.variance(arm));
          const part = scaled(log, factor), value = term.rooted ? squareRoot(part, bits) : part;
          // A root of nothing is nothing: without this the enclosure would never be exact.
          if (factor[0] !== 0n && log[1] !== 0n) sum = [sum[0] + value[0], sum[1] + value[1]];
        }
        this.kept.set(key, sum);
      }
      return this.kept.get(key);
    }
    // The coefficient of the growth and the number under the root, of a radius with one rooted term at most; else null.
    parts(arm) {
      const { n } = this.record(arm);
      let linear = [0n, 1n], rooted = null;
      for (const term of this.shape.terms) {
        let factor = over(rational(term.exact), n - term.offset);
        if (term.usesVariance) factor = times(factor, this.variance(arm));
        if (!term.rooted) linear = plus(linear, factor);
        else if (rooted) return null;
        else rooted = factor;
      }
      return { linear, rooted: rooted || [0n, 1n] };
    }
    mean(arm) { const { n, total } = this.record(arm); return n ? over(total, n) : [0n, 1n]; }
    bound(arm, side, bits) {
      const [meanLow, meanHigh] = enclosed(this.mean(arm), bits), [low, high] = this.radius(arm, bits);
      return side > 0 ? [meanLow + low, meanHigh + high] : [meanLow - high, meanHigh - low];
    }
    // Arms with the same counts, and the same mean and variance as far as the interval uses them, have the same interval.
    same(a, b, withMean) {
      const first = this.record(a), second = this.record(b);
      return first.n === second.n && (!withMean || compare(this.mean(a), this.mean(b)) === 0) &&
        (!this.shape.usesVariance || compare(this.variance(a), this.variance(b)) === 0);
    }
    // The radius of two arms, where both have answers: sqrt(f/2 ((n + s)/n^2 + (m + s)/m^2)), f = ln(t b(t)) + 1/2 ln((n + s)(m + s)/s^2).
    pairRadius(a, b, spread, bits) {
      const logs = [this.round * this.round.toString(2).length, this.record(a).n + spread, this.record(b).n + spread, spread].map((n) => logarithm(n, bits));
      const [[t, upperT], [x, upperX], [y, upperY], [s, upperS]] = logs;
      const thin = (arm) => { const { n } = this.record(arm); return [BigInt(n + spread), BigInt(n) * BigInt(n)]; };
      return squareRoot(scaled([2n * t + x + y - 2n * upperS, 2n * upperT + upperX + upperY - 2n * s], over(plus(thin(a), thin(b)), 4)), bits);
    }
    // The mean of an arm less that of the leader, and their radius; null where that is infinite.
    index(arm, leader, spread) {
      if (!this.record(arm).n || !this.record(leader).n) return null;
      return (bits) => {
        const [low, high] = enclosed(minus(this.mean(arm), this.mean(leader)), bits), [less, more] = this.pairRadius(arm, leader, spread, bits);
        return [low + less, high + more];
      };
    }
    compareIndices(a, b, leader, spread) {
      const [one, other] = [this.index(a, leader, spread), this.index(b, leader, spread)];
      if (!one || !other) return one ? -1 : other ? 1 : 0;
      if (this.record(a).n === this.record(b).n && compare(this.mean(a), this.mean(b)) === 0) return 0;
      return sign((bits) => {
        const [low, high] = one(bits), [less, more] = other(bits);
        return [low - more, high - less];
      }, `the index of arm ${a} against that of arm ${b}`);
    }
    indexWithin(arm, leader, spread) {
      const index = this.index(arm, leader, spread);
      return index !== null && sign((bits) => {
        const [low, high] = index(bits), [e, f] = epsilonAt(this.epsilon, bits);
        return [low - f, high - e];
      }, `the index of arm ${arm} against epsilon`) <= 0;
    }
    // side +1: UCB against UCB, -1: LCB against LCB
    compareBounds(a, b, side) {
      const first = this.finite(a), second = this.finite(b);
      if (!first || !second) return first === second ? 0 : (first ? -side : side);
      if (a === b || this.same(a, b, true)) return 0;
      return sign((bits) => {
        const [low, high] = this.bound(a, side, bits), [less, more] = this.bound(b, side, bits);
        return [low - more, high - less];
      }, `${side > 0 ? "UCB" : "LCB"}(${a}) against ${side > 0 ? "UCB" : "LCB"}(${b})`);
    }
    // the width of a against rho times the width of b, rho > 0
    compareWidths(a, b, rho) {
      const first = this.finite(a), second = this.finite(b);
      if (!first || !second) return first === second ? 0 : (first ? -1 : 1);
      // With s the root of the growth, which is transcendental, a radius is linear s^2 + sqrt(rooted) s: equal only if both are.
      const [one, other] = [this.parts(a), this.parts(b)];
      if (one && other && compare(one.linear, times(rho, other.linear)) === 0 &&
        compare(one.rooted, times(times(rho, rho), other.rooted)) === 0) return 0;
      return sign((bits) => {
        const [low, high] = this.radius(a, bits), [less, more] = scaled(this.radius(b, bits), rho);
        return [low - more, high - less];
      }, `the width of arm ${a} against that of arm ${b}`);
    }
    largest(arms, order) {
      let best = [];
      for (const arm of arms) {
        const against = best.length ? order(arm, best[0]) : 0;
        if (against > 0) best = [arm]; else if (against === 0) best.push(arm);
      }
      return best;
    }
    everyone() { return Array.from({ length: this.arms }, (_, place) => place + 1); }
    // UCB(a) against LCB(b)
    separated(a, b) {
      if (!this.finite(a) || !this.finite(b)) return false;
      return sign((bits) => {
        const [low, high] = this.bound(a, 1, bits), [less, more] = this.bound(b, -1, bits);
        return [low - more, high - less];
      }, `UCB(${a}) against LCB(${b})`) <= 0;
    }
    // UCB(a) - LCB(b) <= epsilon
    within(a, b) {
      if (!this.finite(a) || !this.finite(b)) return false;
      const only = this.shape.terms.length === 1 ? this.shape.terms[0] : null, total = this.epsilon.budget;
      if (total && this.shape.growth === "ln t" && only && only.rooted && !only.usesVariance && this.same(a, b, true)) {
        // 2 sqrt(c g / n) against sqrt(6 K g / B): the sign of 4 c B - 6 K n
        const [c, d] = rational(only.exact), n = BigInt(this.record(a).n - only.offset);
        return 4n * c * total[0] <= 6n * BigInt(this.arms) * n * d * total[1];
      }
      return sign((bits) => {
        const [low, high] = this.bound(a, 1, bits), [less, more] = this.bound(b, -1, bits), [e, f] = epsilonAt(this.epsilon, bits);
        return [low - more - f, high - less - e];
      }, `UCB(${a}) - LCB(${b}) against epsilon`) <= 0;
    }
  }

  // --- the policies: every decision that some tie-break gives, as the reference's `possible`
  function withLeader(view, candidatesOf) {
    const found = new Map(), everyone = view.everyone();
    const add = (arm, query, why) => found.set(`${arm} ${query}`, { arm, query, why });
    for (const leader of view.largest(everyone, (a, b) => view.compareBounds(a, b, -1))) {
      const others = everyone.filter((arm) => arm !== leader);
      if (!others.length) add(leader, false, "separated");
      for (const challenger of view.largest(others, (a, b) => view.compareBounds(a, b, 1))) {
        const separated = view.separated(challenger, leader);
        for (const candidate of candidatesOf(leader, challenger)) {
          if (separated) add(leader, false, "separated");
          else if (view.within(candidate, leader)) add(leader, false, "within epsilon");
          else add(candidate, true, "uncertain");
        }
      }
    }
    return [...found.values()];
  }
  function withPairs(view, kappa, spread) {
    const found = new Map(), everyone = view.everyone();
    const add = (arm, query) => found.set(`${arm} ${query}`, { arm, query, why: query ? "challenged" : "unchallenged" });
    for (const leader of view.largest(everyone, (a, b) => compare(view.mean(a), view.mean(b)))) {
      const others = everyone.filter((arm) => arm !== leader);
      if (!others.length) add(leader, false);
      for (const challenger of view.largest(others, (a, b) => view.compareIndices(a, b, leader, spread))) {
        if (view.indexWithin(challenger, leader, spread)) { add(leader, false); continue; }
        const load = compare([BigInt(view.record(leader).n), 1n], times(kappa, [BigInt(view.record(challenger).n), 1n]));
        if (load <= 0) add(leader, true);
        if (load >= 0) add(challenger, true);
      }
    }
    return [...found.values()];
  }
  function dialCandidates(view, rho, leader, challenger) {
    const bounds = view.compareBounds(leader, challenger, 1);
    let mayLead = bounds >= 0, mayChallenge = bounds <= 0;
    if (rho[0] !== 0n) {
      const widths = view.compareWidths(leader, challenger, rho);
      mayLead = mayLead && widths >= 0;
      mayChallenge = mayChallenge || widths <= 0;
    }
    return [...(mayLead ? [leader] : []), ...(mayChallenge ? [challenger] : [])];
  }
  const ONE = [1n, 1n];
  const POLICIES = {
    bufalu: (view) => withLeader(view, (leader, challenger) => view.largest([leader, challenger], (a, b) => view.compareWidths(a, b, ONE))),
    bufau: (view) => {
      const top = view.largest(view.everyone(), (a, b) => view.compareBounds(a, b, 1));
      return withLeader(view, () => top);
    },
    "cbm-ucb": (view) => view.largest(view.everyone(), (a, b) => view.compareBounds(a, b, 1)).map((arm) => {
      const within = view.within(arm, arm);
      return { arm, query: !within, why: within ? "within epsilon" : "uncertain" };
    }),
    ucb: (view) => view.largest(view.everyone(), (a, b) => view.compareBounds(a, b, 1)).map((arm) => ({ arm, query: true, why: "always asks" })),
    greedy: (view) => {
      const asked = BigInt(view.records.reduce((sum, record) => sum + record.n, 0) - view.arms + 1), six = 6n * BigInt(view.arms);
      let spent;
      if (view.epsilon.budget) spent = compare([asked, 1n], view.epsilon.budget) > 0;
      else if (asked <= 0n) spent = false;
      else spent = sign((bits) => {
        const [e, f] = epsilonAt(view.epsilon, bits), [low, high] = scaled(logarithm(view.round, bits), [six, 1n]), unit = 1n << BigInt(bits);
        return [floor(asked * e * e, unit) - high, ceiling(asked * f * f, unit) - low];
      }, "the effective budget") > 0;
      const order = spent ? (a, b) => compare(view.mean(a), view.mean(b)) : (a, b) => view.compareBounds(a, b, 1);
      return view.largest(view.everyone(), order).map((arm) => ({ arm, query: !spent, why: spent ? "budget spent" : "budget left" }));
    },
  };
  function policy(name) {
    if (POLICIES[name]) return POLICIES[name];
    const paired = /^pairs:([^:]+)(?::(\d+))?$/.exec(name);
    if (paired) { const kappa = rational(paired[1]), spread = Number(paired[2] ?? 4); return (view) => withPairs(view, kappa, spread); }
    const found = /^dial:(.+)$/.exec(name);
    if (!found) return null;
    const rho = rational(found[1]);
    return (view) => withLeader(view, (leader, challenger) => dialCandidates(view, rho, leader, challenger));
  }

  // Why this page cannot replay the run, or null. A run is {policy, shape, epsilon (text or null), epsilons (texts), arms,
  // played, queried, rewards, answered (the first round that knew each reward, 0 for none; null if the next one always did)}.
  function refusal(run) {
    if (!policy(run.policy)) return `the page does not know the policy ${run.policy}`;
    if (!run.shape || (run.shape.growth !== "ln t" && run.shape.growth !== BEFORE)) return "the page does not know this interval";
    if (run.epsilon !== null && !schedule(run.epsilon, run.arms)) return `the page does not know the schedule ${run.epsilon}`;
    if (run.policy !== "ucb" && run.epsilon === null && run.epsilons.slice(run.arms).includes(null)) return "some epsilon is not a rational number";
    return null;
  }

  // Goes through the run with the edited rewards and epsilons ({round: text}); yields the number of rounds done every now
  // and then, and returns {round, admissible} for the first round whose decision no tie-break gives any more, {undecided,
  // round} where a comparison cannot be decided here, or null if every decision stays admissible.
  function* replay(run, rewards = {}, epsilons = {}) {
    const rule = policy(run.policy), formula = run.epsilon === null ? null : schedule(run.epsilon, run.arms);
    const records = Array.from({ length: run.arms }, () => ({ n: 0, total: [0n, 1n], squares: [0n, 1n] }));
    const coming = new Map();
    for (let t = 1; t <= run.played.length; t++) {
      for (const [record, reward] of coming.get(t) ?? []) {
        record.n += 1;
        record.total = plus(record.total, reward);
        record.squares = plus(record.squares, times(reward, reward));
      }
      coming.delete(t);
      const arm = run.played[t - 1], query = Boolean(run.queried[t - 1]);
      let admissible;
      if (t <= run.arms) admissible = [{ arm: t, query: true, why: "initial round" }];
      else {
        const epsilon = t in epsilons ? { rational: rational(epsilons[t]) } : formula ? formula(t) : { rational: rational(run.epsilons[t - 1] ?? "0") };
        try { admissible = rule(new View(records, run.shape, t, epsilon)); } catch (problem) {
          if (problem instanceof Undecided) return { round: t, undecided: problem.message };
          throw problem;
        }
      }
      if (!admissible.some((each) => each.arm === arm && each.query === query)) return { round: t, admissible };
      const known = !query ? 0 : run.answered ? run.answered[t - 1] : t + 1;
      if (known) {
        const reward = rational(t in rewards ? rewards[t] : run.rewards[t - 1]);
        coming.set(known, [...(coming.get(known) ?? []), [records[arm - 1], reward]]);
      }
      if (t % 100 === 0) yield t;
    }
    return null;
  }

  return { rational, shown, added, over, compare, logarithm, refusal, replay, Unreadable };
})();
if (typeof module !== "undefined") module.exports = BufaluReplay;
