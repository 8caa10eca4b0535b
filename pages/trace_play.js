"use strict";
// Edit a reward or an epsilon, and see from which round on the run changes.
(async () => {
  const form = document.getElementById("play"), picture = await BufaluPicture;
  if (!form || !picture) return;
  const { story } = picture, answer = document.getElementById("answer"), list = document.getElementById("edits");
  const [number, reward, epsilon] = ["round", "reward", "epsilon"].map((name) => form.elements[name]);
  const run = { ...story.replay, played: story.played, queried: story.queried, rewards: story.rewards, answered: story.answered };
  let rewards = {}, epsilons = {}, latest = 0;
  form.hidden = false;
  const cannot = BufaluReplay.refusal(run);
  if (cannot) {
    form.querySelectorAll("input, button").forEach((part) => { part.disabled = true; });
    answer.textContent = `This page cannot replay this run: ${cannot}. Edit the file and use bufalu check.`;
    return;
  }

  function choose(round) {
    number.value = round;
    const recorded = story.rewards[round - 1];
    reward.disabled = recorded === null;
    reward.value = recorded === null ? "" : rewards[round] ?? recorded;
    reward.placeholder = recorded !== null ? "" : story.queried[round - 1] ? "not answered" : "not asked for";
    epsilon.disabled = round <= run.arms;
    epsilon.value = epsilons[round] ?? "";
    epsilon.placeholder = Number.isNaN(story.epsilons[round - 1]) ? "not used" : String(Number(story.epsilons[round - 1].toPrecision(6)));
  }

  const decision = (arm, query) => `arm ${arm} ${query ? "with a query" : "without a query"}`;
  const edits = () => [
    ...Object.entries(rewards).map(([round, text]) => `reward of round ${round}: ${text} (was ${story.rewards[round - 1]})`),
    ...Object.entries(epsilons).map(([round, text]) => `ε of round ${round}: ${text}`),
  ];

  function tell(found) {
    if (found === null) return "Nothing changes: every recorded decision is still one that the rule allows.";
    const round = found.round.toLocaleString("en");
    if (found.undecided) return `Up to round ${round} nothing changes. There this page cannot decide (${found.undecided}); bufalu check can.`;
    const then = found.admissible.map((each) => `${decision(each.arm, each.query)} (${each.why})`).join(", or ");
    const same = story.divergence === found.round && !edits().length ? " It is the round that does not conform." : "";
    return `The run changes in round ${round}: recorded was ${decision(story.played[found.round - 1], Boolean(story.queried[found.round - 1]))}; ` +
      `now the rule wants ${then}.${same} What follows would depend on rewards that were never drawn.`;
  }

  function judge() {
    const mine = ++latest, steps = BufaluReplay.replay(run, { ...rewards }, { ...epsilons });
    list.replaceChildren(...edits().map((text) => { const item = document.createElement("li"); item.textContent = text; return item; }));
    answer.textContent = "Replaying…";
    (function work() {
      if (mine !== latest) return;
      const until = performance.now() + 30;
      while (performance.now() < until) {
        const step = steps.next();
        if (!step.done) continue;
        answer.textContent = tell(step.value);
        answer.dataset.round = step.value === null ? "none" : step.value.round;
        picture.markChange(step.value === null ? null : step.value.round);
        return;
      }
      setTimeout(work);
    })();
  }

  picture.onShow((round) => { if (!form.contains(document.activeElement)) choose(round); });
  number.addEventListener("change", () => {
    const round = Math.min(story.played.length, Math.max(1, Math.round(Number(number.value)) || 1));
    picture.show(round);
    choose(round);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const round = Number(number.value);
    try {
      const typed = { reward: reward.disabled ? "" : reward.value.trim(), epsilon: epsilon.disabled ? "" : epsilon.value.trim() };
      if (typed.reward) {
        const value = BufaluReplay.rational(typed.reward);
        if (value[0] < 0n || value[0] > value[1]) throw new BufaluReplay.Unreadable("a reward lies in [0, 1]");
        if (BufaluReplay.compare(value, BufaluReplay.rational(story.rewards[round - 1]))) rewards[round] = typed.reward; else delete rewards[round];
      }
      if (typed.epsilon) {
        if (BufaluReplay.rational(typed.epsilon)[0] < 0n) throw new BufaluReplay.Unreadable("an epsilon is at least 0");
        epsilons[round] = typed.epsilon;
      } else delete epsilons[round];
    } catch (problem) {
      if (!(problem instanceof BufaluReplay.Unreadable)) throw problem;
      answer.textContent = `Not tried: ${problem.message}.`;
      return;
    }
    judge();
  });
  form.addEventListener("reset", (event) => { event.preventDefault(); rewards = {}; epsilons = {}; choose(Number(number.value)); judge(); });
  choose(story.divergence ?? Math.min(story.played.length, run.arms + 1));
})();
