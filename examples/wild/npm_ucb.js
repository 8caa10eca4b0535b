// The npm package `ucb` behind the conformance protocol: bufalu conform -- node THIS_FILE FOLDER
// FOLDER is where it was installed (npm install --prefix FOLDER ucb). Its index is mean + sqrt(2 ln N / n) with N the rewards
// seen so far, and it plays the new arms in order.
"use strict";

const readline = require("readline");
const Algorithm = require(`${process.argv[2]}/node_modules/ucb`);
const { version } = require(`${process.argv[2]}/node_modules/ucb/package.json`);

let algorithm = null;
let played = 0;

async function answer(request) {
  if (request.command === "start") {
    const implementation = { name: "ucb (npm)", language: "JavaScript", version };
    return { version: 1, implementation, policies: ["ucb"], confidence: ["hoeffding:2:before"] };
  }
  if (request.command === "reset") algorithm = new Algorithm({ arms: request.arms });
  if (request.command === "observe") await algorithm.reward(played, request.reward);
  if (request.command !== "decide") return { ok: true };
  played = await algorithm.select();
  return { arm: played + 1, query: true };
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    if (request.command === "stop") process.exit(0);
    process.stdout.write(`${JSON.stringify(await answer(request))}\n`);
  }
})();
