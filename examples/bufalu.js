// BuFALU, its three baselines and the dial in plain JavaScript doubles, behind the conformance protocol.
// Written from the paper's pseudo-code and docs/dial.md. Try it: bufalu conform -- node examples/bufalu.js
"use strict";

const readline = require("readline");

// What is kept for each arm: queries, mean, and the sum of squared deviations (Welford's update).
class Arm {
  constructor() {
    this.queries = 0;
    this.mean = 0;
    this.deviations = 0;
  }

  add(reward) {
    this.queries += 1;
    const step = reward - this.mean;
    this.mean += step / this.queries;
    this.deviations += step * (reward - this.mean);
  }

  // Half the width of the confidence interval at round t.
  radius(kind, t) {
    const n = this.queries;
    if (kind === "hoeffding") return n < 1 ? Infinity : Math.sqrt((1.5 * Math.log(t)) / n);
    if (n < 2) return Infinity;
    const variance = Math.max(0, this.deviations) / (n - 1);
    return Math.sqrt((6 * variance * Math.log(t)) / n) + (7 * Math.log(t)) / (n - 1);
  }
}

// The first index at which `values` is largest.
function argmax(values) {
  let best = 0;
  for (let i = 1; i < values.length; i += 1) if (values[i] > values[best]) best = i;
  return best;
}

class Policy {
  constructor(name, kind, count) {
    // "dial:1/2" is the dial at 1/2: the number is a fraction or a decimal.
    const [family, position] = name.split(":");
    const [over, under] = (position || "1").split("/");
    this.name = family;
    this.rho = Number(over) / Number(under || 1);
    this.kind = kind;
    this.arms = Array.from({ length: count }, () => new Arm());
    this.asked = 0;
    this.waiting = null;
    this.played = []; // the arm of each round, since answers may come late
  }

  decide(t, epsilon) {
    const [arm, query] = t <= this.arms.length ? [t - 1, true] : this.choose(t, epsilon);
    this.waiting = query ? arm : null;
    this.played[t] = arm;
    return { arm: arm + 1, query };
  }

  observe(reward) {
    this.arms[this.waiting].add(reward);
    this.asked += 1;
    this.waiting = null;
  }

  choose(t, epsilon) {
    const radius = this.arms.map((arm) => arm.radius(this.kind, t));
    const mean = this.arms.map((arm) => arm.mean);
    const lower = mean.map((m, i) => m - radius[i]);
    const upper = mean.map((m, i) => m + radius[i]);
    const highest = argmax(upper);

    if (this.name === "greedy") {
      const count = this.arms.length;
      const budget = (6 * count * Math.log(t)) / (epsilon * epsilon) + count;
      return this.asked > budget - 1 ? [argmax(mean), false] : [highest, true];
    }
    if (this.name === "cbm-ucb") return [highest, !(2 * radius[highest] <= epsilon)];

    const leader = argmax(lower);
    if (this.arms.length === 1) return [leader, false];
    const challenger = argmax(upper.map((u, i) => (i === leader ? -Infinity : u)));
    let candidate = highest;
    if (this.name === "bufalu") candidate = radius[challenger] > radius[leader] ? challenger : leader;
    if (this.name === "dial") {
      // At rho = 0 the width test is left out: 0 times an infinite radius is no number.
      const wide = this.rho === 0 || radius[leader] > this.rho * radius[challenger];
      candidate = wide && upper[leader] > upper[challenger] ? leader : challenger;
    }
    const separated = upper[challenger] <= lower[leader];
    const within = upper[candidate] - lower[leader] <= epsilon;
    return separated || within ? [leader, false] : [candidate, true];
  }
}

let policy = null;

function answer(request) {
  switch (request.command) {
    case "start":
      return {
        version: 1,
        implementation: { name: "bufalu.js", language: "JavaScript", version: "1" },
        policies: ["bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2"],
        confidence: ["hoeffding", "bernstein"],
        late: true,
      };
    case "reset":
      policy = new Policy(request.policy, request.confidence, request.arms);
      return { ok: true };
    case "decide":
      return policy.decide(request.round, request.epsilon);
    case "observe":
      // Where answers come late, the round that asked is told.
      if ("round" in request) policy.waiting = policy.played[request.round];
      policy.observe(request.reward);
      return { ok: true };
    case "stop":
      return process.exit(0);
    default:
      return { error: `unknown command ${request.command}` };
  }
}

readline
  .createInterface({ input: process.stdin })
  .on("line", (line) => process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`));
