"use strict";
// Search that works from the disk: the index is a script beside the pages, loaded when the search is first used.
(() => {
  const box = document.getElementById("search"), list = document.getElementById("found"), root = document.documentElement.dataset.root;
  const pages = document.querySelector(".side details");
  // On a narrow screen the list of pages waits until it is asked for.
  if (pages && window.matchMedia("(max-width: 52rem)").matches) pages.open = false;
  if (!box) return;
  box.parentElement.hidden = false;
  let asked = false, chosen = -1;

  function load() {
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = `${root}search-index.js`;
    script.onload = show;
    document.head.append(script);
  }
  function score(entry, words) {
    let sum = 0;
    for (const word of words) {
      const heading = entry.heading.toLowerCase(), at = entry.words.toLowerCase().indexOf(word);
      const part = (heading === word ? 40 : 0) + (heading.includes(word) ? 20 : 0) + (entry.page.toLowerCase().includes(word) ? 5 : 0) + (at >= 0 ? 3 : 0);
      if (!part) return 0;
      sum += part;
    }
    // Hundreds of theorems have common words in their names: whoever asks for one word wants the page that explains it.
    return entry.page === "Theorem" ? sum / 10 : sum;
  }
  function show() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean), index = window.bufaluIndex;
    list.replaceChildren();
    chosen = -1;
    list.hidden = !words.length || !index;
    if (list.hidden) return;
    const found = index.map((entry) => [score(entry, words), entry]).filter(([sum]) => sum).sort((a, b) => b[0] - a[0]).slice(0, 12);
    for (const [, entry] of found) {
      const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("span");
      link.href = root + entry.address;
      link.textContent = entry.heading === entry.page ? entry.page : `${entry.page}: ${entry.heading}`;
      const at = Math.max(0, entry.words.toLowerCase().indexOf(words[0]) - 40);
      text.textContent = entry.words.slice(at, at + 140);
      item.append(link, text);
      list.append(item);
    }
    if (!found.length) { const item = document.createElement("li"); item.textContent = "Nothing found."; list.append(item); }
  }
  box.addEventListener("focus", load);
  box.addEventListener("input", () => { load(); show(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(input|select|textarea)$/i.test(document.activeElement.tagName)) { event.preventDefault(); box.focus(); }
    if (event.key === "Escape") { list.hidden = true; box.blur(); }
  });
  box.parentElement.addEventListener("keydown", (event) => {
    const links = Array.from(list.querySelectorAll("a"));
    if (!links.length || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    event.preventDefault();
    chosen = Math.max(-1, Math.min(links.length - 1, chosen + (event.key === "ArrowDown" ? 1 : -1)));
    (chosen < 0 ? box : links[chosen]).focus();
  });
})();
