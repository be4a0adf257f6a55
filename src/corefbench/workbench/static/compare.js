// Responses side by side: focus a place in one, see it in all.
"use strict";

(() => {
  const find = (selector) => document.querySelector(selector);
  const rows = find(".rows");
  if (!rows) return;

  let panes = null;
  let current = null; // { pane, mention }
  let stop = null;

  function all() {
    if (!panes) {
      panes = carried("versus-data").map((data) => new Marked(data, data.letter));
      for (const pane of panes) {
        pane.places = new Map();
        for (let at = 0; at < pane.size; at += 1) {
          const { mention, start, end } = pane.data;
          pane.places.set(mention[at] >= 0 ? `k${mention[at]}` : `${start[at]}-${end[at]}`, at);
        }
      }
    }
    return panes;
  }

  /** The mention of another pane at the same place; -1 for none. */
  function same(pane, mention, other) {
    const { mention: number, start, end } = pane.data;
    const name = number[mention] >= 0 ? `k${number[mention]}` : `${start[mention]}-${end[mention]}`;
    return other.places.get(name) ?? -1;
  }

  function at(element) {
    for (const pane of all()) {
      const mention = pane.mentionAt(element);
      if (mention >= 0) return { pane, mention };
    }
    return null;
  }

  function named(hash) {
    const found = /^#([a-f])(\d+)$/.exec(hash);
    const pane = found && all().find((one) => one.prefix === found[1]);
    const mention = found ? Number(found[2]) : -1;
    return pane && mention < pane.size ? { pane, mention } : null;
  }

  // --- focus -------------------------------------------------------------------------------

  function select(place) {
    if (!place) return;
    const { pane, mention } = place;
    unsame();
    current = place;
    for (const other of all()) {
      const there = other === pane ? mention : same(pane, mention, other);
      if (there < 0) { other.clear(); continue; }
      other.light(there);
      other.lightRest();
      if (other !== pane) for (const piece of other.pieces(there)) { piece.classList.remove("f"); piece.classList.add("same"); }
    }
    const element = pane.element(mention);
    reachable(element);
    element.focus({ preventScroll: true });
    reveal(element);
    describe();
    inList();
    remember(`#${pane.prefix}${mention}`);
  }

  function unsame() {
    for (const element of document.querySelectorAll(".m.same")) element.classList.remove("same");
  }

  function leave() {
    if (!current) return;
    unsame();
    for (const pane of all()) pane.clear();
    current = null;
    describeNothing();
    inList();
    remember("");
    say("No chain is focused.");
  }

  function reachable(element) {
    if (stop === element) return;
    if (stop) { stop.removeAttribute("tabindex"); stop.removeAttribute("role"); }
    stop = element;
    if (stop) { stop.setAttribute("tabindex", "0"); stop.setAttribute("role", "button"); }
  }

  function reveal(element) {
    const box = element.getBoundingClientRect();
    const panel = find("[data-focused]");
    const docked = getComputedStyle(panel).position === "fixed";
    const bottom = innerHeight - (docked ? panel.offsetHeight : 0);
    if (box.top < 130 || box.bottom > bottom - 30) {
      scrollTo({ top: scrollY + box.top - Math.max(150, bottom * 0.38), behavior: "instant" });
      const again = element.getBoundingClientRect();
      if (again.top < 130 || again.bottom > bottom - 30) element.scrollIntoView({ block: "center", behavior: "instant" });
    }
  }

  let remembering = 0;
  function remember(hash) {
    clearTimeout(remembering);
    remembering = setTimeout(() => {
      try { history.replaceState(null, "", hash || location.pathname + location.search); } catch { /* a file */ }
    }, 120);
  }

  let saying = 0;
  function say(words) {
    clearTimeout(saying);
    saying = setTimeout(() => { find("[data-live]").textContent = words; }, 60);
  }

  // --- what is said of a place -------------------------------------------------------------

  function jump(pane, mention) {
    return made("a", { href: `#${pane.prefix}${mention}` }, pane.excerpt(mention));
  }

  function describe() {
    const { pane, mention } = current;
    const expected = pane.data.expected[mention];
    const list = made("dl", {});
    const parts = [`${pane.excerpt(mention)}.`];
    for (const other of all()) {
      const there = other === pane ? mention : same(pane, mention, other);
      const one = there >= 0 ? other.caseOf(there) : { mark: "right", sign: "✓", words: "left alone" };
      const chosen = there >= 0 ? other.data.chosen[there] : -1;
      const detail = made("dd", {}, made("b", { class: one.mark }, `${one.sign} ${there >= 0 ? one.mark : "left alone"}`));
      if (there >= 0) detail.append(`: ${one.words}`);
      if (chosen >= 0) detail.append(made("div", {}, "chosen ", jump(other, chosen)));
      list.append(made("dt", {}, `${other.prefix.toUpperCase()} ${other.data.name}`), detail);
      parts.push(`${other.data.name}: ${there >= 0 ? one.mark : "left alone"}${chosen >= 0 ? `, chosen ${other.excerpt(chosen)}` : ""}.`);
    }
    if (expected >= 0) {
      list.append(made("dt", {}, "Expected"), made("dd", {}, jump(pane, expected)));
      parts.push(`Expected: ${pane.excerpt(expected)}.`);
    }
    find("[data-focused]").classList.add("active");
    find("[data-about]").replaceChildren(made("p", { class: "verdict" }, made("q", {}, pane.excerpt(mention))), list, buttons());
    say(parts.join(" "));
  }

  function buttons() {
    const button = (words, label, act) => made("button", { type: "button", class: "small", "aria-label": label, onclick: act }, words);
    return made("p", { class: "steps" },
      button("‹ place", "Previous place of the list", () => toPlace(-1)),
      button("place ›", "Next place of the list", () => toPlace(1)),
      button("‹ chain", "Previous mention of the chain", () => toMember(-1)),
      button("chain ›", "Next mention of the chain", () => toMember(1)),
      button("leave", "Leave the chain", leave));
  }

  function describeNothing() {
    find("[data-focused]").classList.remove("active");
    find("[data-about]").replaceChildren(made("p", { class: "hint" }, "Choose a place, or press ", made("kbd", {}, "n"), " for the next one of the list."));
  }

  // --- steps -------------------------------------------------------------------------------

  function listed() {
    return [...document.querySelectorAll("[data-group][open] .places > li:not([hidden])")];
  }

  function linkOf(item) {
    return named(item.querySelector("a").getAttribute("href"));
  }

  /** The item of the list that the focus stands at. */
  function item() {
    if (!current) return null;
    return listed().find((one) => {
      const place = linkOf(one);
      const mine = place && (place.pane === current.pane ? current.mention : same(current.pane, current.mention, place.pane));
      return place && place.mention === mine;
    }) || null;
  }

  let marked = null;
  function inList() {
    if (marked) marked.removeAttribute("aria-current");
    marked = item();
    if (!marked) return;
    marked.setAttribute("aria-current", "true");
    const panel = marked.closest(".panel");
    const outer = panel.getBoundingClientRect(), inner = marked.getBoundingClientRect();
    if (panel.scrollHeight > panel.clientHeight && (inner.top < outer.top || inner.bottom > outer.bottom)) panel.scrollTop += inner.top - outer.top - panel.clientHeight / 2;
  }

  function toPlace(by) {
    const items = listed();
    if (!items.length) return say("The list is empty.");
    const place = items.indexOf(item());
    const next = place < 0 ? (by > 0 ? 0 : items.length - 1) : (place + by + items.length) % items.length;
    return select(linkOf(items[next]));
  }

  function toMember(by) {
    if (!current) return toPlace(by);
    const { pane, mention } = current;
    const key = pane.members("key", mention);
    const members = key.length > 1 ? key : pane.members("response", mention);
    if (members.length < 2) return say("This chain has no other mention.");
    return select({ pane, mention: members[(members.indexOf(mention) + by + members.length) % members.length] });
  }

  function toNeighbour(by) {
    const { pane, mention } = at(stop);
    const next = mention + by;
    if (next >= 0 && next < pane.size) select({ pane, mention: next });
  }

  function toSystem() {
    if (!current) return;
    const every = all();
    for (let step = 1; step < every.length; step += 1) {
      const other = every[(every.indexOf(current.pane) + step) % every.length];
      const there = same(current.pane, current.mention, other);
      if (there >= 0) { select({ pane: other, mention: there }); return; }
    }
    say("No other system has this mention.");
  }

  // --- filters -----------------------------------------------------------------------------

  const filters = find("[data-filters]");
  const ready = filters.dataset.complete === "true";

  function filter() {
    const asked = Object.fromEntries([...filters.querySelectorAll("select")].map((one) => [one.name, one.value]));
    let left = 0;
    for (const group of document.querySelectorAll("[data-group]")) {
      let count = 0;
      for (const one of group.querySelectorAll(".places > li")) {
        const fits = Object.entries(asked).every(([name, value]) => value === "any" || one.dataset[name].split(name === "class" ? " " : "\n").includes(value));
        one.hidden = !fits;
        count += fits;
      }
      group.querySelector("[data-total]").textContent = count.toLocaleString("en");
      left += count;
    }
    say(`${left} places.`);
  }

  // Only a page with all places filters itself; a file has nobody to ask for more.
  filters.addEventListener("change", () => {
    if (!ready && location.protocol !== "file:") { filters.requestSubmit(); return; }
    filter();
    if (location.protocol === "file:") return;
    const address = new URL(location);
    for (const one of filters.querySelectorAll("select")) address.searchParams.set(one.name, one.value);
    history.replaceState(null, "", address);
  });

  // --- events ------------------------------------------------------------------------------

  rows.addEventListener("click", (event) => {
    if (getSelection().isCollapsed) select(at(event.target));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    const place = link && named(link.getAttribute("href"));
    if (!place) return;
    event.preventDefault();
    select(place);
  });

  const dialog = find("[data-dialog]");
  const single = find("[data-single]");
  try { single.checked = localStorage.getItem("letters") !== "off"; } catch { /* nothing is kept */ }
  single.addEventListener("change", () => {
    try { localStorage.setItem("letters", single.checked ? "on" : "off"); } catch { /* nothing is kept */ }
  });
  const LETTERS = {
    n: () => toPlace(1),
    p: () => toPlace(-1),
    j: () => toMember(1),
    k: () => toMember(-1),
    s: toSystem,
    "?": () => dialog.showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target.closest("input, select, textarea")) return;
    const inText = stop && document.activeElement === stop;
    let act = single.checked ? LETTERS[event.key] : null;
    if (event.key === "Escape") act = leave;
    if (inText && event.key === "ArrowRight") act = () => toNeighbour(1);
    if (inText && event.key === "ArrowLeft") act = () => toNeighbour(-1);
    if (inText && (event.key === "Enter" || event.key === " ")) act = () => select(at(stop));
    if (!act) return;
    event.preventDefault();
    act();
  });

  addEventListener("hashchange", () => select(named(location.hash)));
  find("[data-keys]").addEventListener("click", () => dialog.showModal());
  find("[data-keys]").hidden = false;
  filters.hidden = false;
  const submit = find("[data-submit]");
  if (submit) submit.hidden = true;
  const choose = find("[data-choose]");
  if (choose) {
    choose.addEventListener("change", () => choose.requestSubmit());
    choose.querySelector("button").hidden = true;
  }
  describeNothing();
  requestAnimationFrame(() => setTimeout(() => {
    if (!current) select(named(location.hash));
    if (!stop) {
      const first = listed()[0];
      const place = first && linkOf(first);
      reachable(place ? place.pane.element(place.mention) : rows.querySelector(".m[id]"));
    }
    document.documentElement.dataset.ready = "";
  }));
})();
