"use strict";
// Filters only: the page is complete without this script.
(() => {
  const form = document.getElementById("controls");
  const claims = Array.from(document.querySelectorAll("article"));
  const shown = document.getElementById("shown");
  const texts = claims.map((claim) => claim.textContent.toLowerCase());

  function apply() {
    const verdicts = new Set(Array.from(form.querySelectorAll("input[name=verdict]:checked"), (box) => box.value));
    const kind = form.elements.kind.value;
    const words = form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    claims.forEach((claim, index) => {
      const visible = verdicts.has(claim.dataset.verdict) && (!kind || claim.dataset.kinds.split(" ").includes(kind)) &&
        words.every((word) => texts[index].includes(word));
      claim.hidden = !visible;
      count += visible ? 1 : 0;
    });
    document.querySelectorAll("#claims section").forEach((section) => {
      section.hidden = !section.querySelector("article:not([hidden])");
    });
    shown.textContent = `${count} of ${claims.length} claims`;
  }

  function reveal() {
    // A link to a claim must work although a filter hides it.
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.matches("article") && target.hidden) { form.reset(); apply(); target.scrollIntoView(); }
  }

  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", reveal);
  apply();
})();
