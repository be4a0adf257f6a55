// Responses side by side: focus a mention in one, see it in all.
"use strict";

(() => {
  const rows = find(".rows");
  if (!rows) return;

  const focus = new ReadingFocus(130);
  let paneLists = null;
  let current = null; // { pane, mention }

  function panes() {
    if (!paneLists) {
      paneLists = readJSON("compare-data").map((data) => new MentionList(data, data.letter));
      for (const pane of paneLists) {
        pane.byPosition = new Map();
        for (let mention = 0; mention < pane.size; mention += 1) pane.byPosition.set(positionOf(pane, mention), mention);
      }
    }
    return paneLists;
  }

  /** The mention of the key, or the span where the key has none. */
  function positionOf(pane, mention) {
    const { mention: keyMention, start, end } = pane.data;
    return keyMention[mention] >= 0 ? `k${keyMention[mention]}` : `${start[mention]}-${end[mention]}`;
  }

  /** The same mention in a pane; -1 for none. */
  function sameMention({ pane, mention }, other) {
    return other === pane ? mention : other.byPosition.get(positionOf(pane, mention)) ?? -1;
  }

  function targetAt(element) {
    for (const pane of panes()) {
      const mention = pane.mentionAt(element);
      if (mention >= 0) return { pane, mention };
    }
    return null;
  }

  function targetOfHash(hash) {
    const match = /^#([a-f])(\d+)$/.exec(hash);
    const pane = match && panes().find((candidate) => candidate.prefix === match[1]);
    const mention = match ? Number(match[2]) : -1;
    return pane && mention < pane.size ? { pane, mention } : null;
  }

  // --- focus -------------------------------------------------------------------------------

  function select(target) {
    if (!target) return;
    clearSame();
    current = target;
    for (const pane of panes()) {
      const mention = sameMention(target, pane);
      if (mention < 0) { pane.clear(); continue; }
      pane.highlight(mention);
      pane.highlightRest();
      if (pane !== target.pane) for (const piece of pane.pieces(mention)) { piece.classList.remove("f"); piece.classList.add("same"); }
    }
    focus.moveTo(target.pane.element(target.mention));
    describe();
    markListItem();
    focus.updateHash(`#${target.pane.prefix}${target.mention}`);
  }

  function clearSame() {
    for (const element of document.querySelectorAll(".m.same")) element.classList.remove("same");
  }

  function leave() {
    if (!current) return;
    clearSame();
    for (const pane of panes()) pane.clear();
    current = null;
    describeNothing();
    markListItem();
    focus.updateHash("");
    focus.announce("No chain is focused.");
  }

  // --- the panel ---------------------------------------------------------------------------

  function createLink(pane, mention) {
    return createElement("a", { href: `#${pane.prefix}${mention}` }, pane.excerpt(mention));
  }

  function describe() {
    const { pane, mention } = current;
    const expected = pane.data.expected[mention];
    const facts = createElement("dl", {});
    const sentences = [`${pane.excerpt(mention)}.`];
    for (const other of panes()) {
      const same = sameMention(current, other);
      const outcome = same >= 0 ? other.caseOf(same) : { mark: "right", sign: "✓" };
      const title = same >= 0 ? outcome.mark : "left alone";
      const chosen = same >= 0 ? other.data.chosen[same] : -1;
      const details = createElement("dd", {}, createElement("b", { class: outcome.mark }, `${outcome.sign} ${title}`));
      if (same >= 0) details.append(`: ${outcome.words}`);
      if (chosen >= 0) details.append(createElement("div", {}, "chosen ", createLink(other, chosen)));
      facts.append(createElement("dt", {}, `${other.prefix.toUpperCase()} ${other.data.name}`), details);
      sentences.push(`${other.data.name}: ${title}${chosen >= 0 ? `, chosen ${other.excerpt(chosen)}` : ""}.`);
    }
    if (expected >= 0) {
      facts.append(createElement("dt", {}, "Expected"), createElement("dd", {}, createLink(pane, expected)));
      sentences.push(`Expected: ${pane.excerpt(expected)}.`);
    }
    find("[data-focused]").classList.add("active");
    find("[data-details]").replaceChildren(
      createElement("p", { class: "verdict" }, createElement("q", {}, pane.excerpt(mention))),
      facts,
      createButtons(
        ["‹ place", "Previous place of the list", () => toListed(-1)],
        ["place ›", "Next place of the list", () => toListed(1)],
        ["‹ chain", "Previous mention of the chain", () => toMember(-1)],
        ["chain ›", "Next mention of the chain", () => toMember(1)],
        ["leave", "Leave the chain", leave]),
    );
    focus.announce(sentences.join(" "));
  }

  function describeNothing() {
    find("[data-focused]").classList.remove("active");
    find("[data-details]").replaceChildren(
      createElement("p", { class: "hint" }, "Choose a place, or press ", createElement("kbd", {}, "n"), " for the next one of the list."),
    );
  }

  // --- the list ----------------------------------------------------------------------------

  function listItems() {
    return [...document.querySelectorAll("[data-group][open] .places > li:not([hidden])")];
  }

  function targetOfItem(item) {
    return targetOfHash(item.querySelector("a").getAttribute("href"));
  }

  /** The item of the list that is focused. */
  function currentItem() {
    if (!current) return null;
    return listItems().find((item) => {
      const target = targetOfItem(item);
      return target && target.mention === sameMention(current, target.pane);
    }) || null;
  }

  let markedItem = null;
  function markListItem() {
    if (markedItem) markedItem.removeAttribute("aria-current");
    markedItem = currentItem();
    if (!markedItem) return;
    markedItem.setAttribute("aria-current", "true");
    const panel = markedItem.closest(".panel");
    const outer = panel.getBoundingClientRect(), inner = markedItem.getBoundingClientRect();
    const isHidden = inner.top < outer.top || inner.bottom > outer.bottom;
    if (panel.scrollHeight > panel.clientHeight && isHidden) panel.scrollTop += inner.top - outer.top - panel.clientHeight / 2;
  }

  // --- steps -------------------------------------------------------------------------------

  function toListed(step) {
    const items = listItems();
    if (!items.length) return focus.announce("The list is empty.");
    const index = items.indexOf(currentItem());
    const next = index < 0 ? (step > 0 ? 0 : items.length - 1) : (index + step + items.length) % items.length;
    return select(targetOfItem(items[next]));
  }

  function toMember(step) {
    if (!current) return toListed(step);
    const { pane, mention } = current;
    const neighbour = pane.neighbourInChain(mention, step);
    return neighbour < 0 ? focus.announce("This chain has no other mention.") : select({ pane, mention: neighbour });
  }

  function toNeighbour(step) {
    const { pane, mention } = targetAt(focus.element);
    const next = mention + step;
    if (next >= 0 && next < pane.size) select({ pane, mention: next });
  }

  function toNextPane() {
    if (!current) return;
    const all = panes();
    const index = all.indexOf(current.pane);
    for (const pane of [...all.slice(index + 1), ...all.slice(0, index)]) {
      const mention = sameMention(current, pane);
      if (mention >= 0) { select({ pane, mention }); return; }
    }
    focus.announce("No other system has this mention.");
  }

  // --- filters -----------------------------------------------------------------------------

  const filters = find("[data-filters]");
  const isComplete = filters.dataset.complete === "true";

  function applyFilters() {
    const selected = [...filters.querySelectorAll("select")].filter((select) => select.value !== "any");
    // A mention has an error class for each response, but only one value of the others.
    const matches = (item) => selected.every(({ name, value }) =>
      item.dataset[name].split(name === "class" ? " " : "\n").includes(value));
    let total = 0;
    for (const group of document.querySelectorAll("[data-group]")) {
      const items = [...group.querySelectorAll(".places > li")];
      for (const item of items) item.hidden = !matches(item);
      const count = items.filter((item) => !item.hidden).length;
      group.querySelector("[data-total]").textContent = count.toLocaleString("en");
      total += count;
    }
    focus.announce(`${total} places.`);
  }

  // Only a page with all places filters itself; a file has no server to ask for more.
  filters.addEventListener("change", () => {
    if (!isComplete && location.protocol !== "file:") { filters.requestSubmit(); return; }
    applyFilters();
    if (location.protocol === "file:") return;
    const url = new URL(location);
    for (const { name, value } of filters.querySelectorAll("select")) url.searchParams.set(name, value);
    history.replaceState(null, "", url);
  });

  // --- events ------------------------------------------------------------------------------

  rows.addEventListener("click", (event) => {
    if (getSelection().isCollapsed) select(targetAt(event.target));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    const target = link && targetOfHash(link.getAttribute("href"));
    if (!target) return;
    event.preventDefault();
    select(target);
  });
  focus.listen({
    letters: {
      n: () => toListed(1),
      p: () => toListed(-1),
      j: () => toMember(1),
      k: () => toMember(-1),
      s: toNextPane,
    },
    leave,
    step: toNeighbour,
    select: (element) => select(targetAt(element)),
  });
  addEventListener("hashchange", () => select(targetOfHash(location.hash)));

  // --- begin -------------------------------------------------------------------------------

  filters.hidden = false;
  const submit = find("[data-submit]");
  if (submit) submit.hidden = true;
  const responseForm = find("[data-response-form]");
  if (responseForm) {
    responseForm.addEventListener("change", () => responseForm.requestSubmit());
    responseForm.querySelector("button").hidden = true;
  }
  describeNothing();
  requestAnimationFrame(() => setTimeout(() => {
    if (!current) select(targetOfHash(location.hash));
    if (!focus.element) {
      const first = listItems()[0];
      const target = first && targetOfItem(first);
      focus.setElement(target ? target.pane.element(target.mention) : rows.querySelector(".m[id]"));
    }
    document.documentElement.dataset.ready = "";
  }));
})();
