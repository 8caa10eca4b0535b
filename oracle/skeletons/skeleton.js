@ABOUT@
"use strict";
const START = '@START@';

let arms = 0;
let queries = []; // of each arm, queries[0] being those of arm 1
let sums = []; // of the rewards of each arm
let played = 0; // the arm of the last decision

function reset(policy, confidence, numberOfArms) {
  arms = numberOfArms;
  queries = new Array(arms).fill(0);
  sums = new Array(arms).fill(0);
}

function decide(round, epsilon) {
  if (round <= arms) return { arm: round, query: true };
  return { arm: 1, query: true }; // @FILL_IN@
}

function observe(reward) {
  queries[played - 1] += 1;
  sums[played - 1] += reward;
}

function answer(request) {
  switch (request.command) {
    case "start":
      return START;
    case "reset":
      reset(request.policy, request.confidence, request.arms);
      return '@OK@';
    case "decide": {
      const decision = decide(request.round, request.epsilon);
      played = decision.arm;
      return JSON.stringify(decision);
    }
    case "observe":
      observe(request.reward);
      return '@OK@';
    default:
      process.exit(0); // stop
  }
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => process.stdout.write(answer(JSON.parse(line)) + "\n"));
