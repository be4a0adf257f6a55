// The reading view: focus a mention, see its chains, its antecedents and the resolver's reasons.
"use strict";

(() => {
  const find = (selector) => document.querySelector(selector);
  const text = find("[data-text]");
  if (!text) return;

  const LISTED = 60;
  const STEP = 200;
  let marked = null;
  let reasons;
  let current = -1;
  let stop = null; // the one mention that Tab reaches
  let show = text.dataset.show;

  // Data is read when the first thing is asked for, after the text has been painted.
  function mentions() {
    if (!marked) marked = new Marked(carried("reading-data"), "m");
    return marked;
  }

  function why() {
    if (reasons === undefined) {
      const all = carried("reading-why");
      reasons = { kind: all.kind, why: all.why, of: new Map() };
      if (all.why) all.why.decisions.forEach((one) => reasons.of.set(one.mention, one));
    }
    return reasons;
  }

  // --- focus -------------------------------------------------------------------------------

  function select(mention, { move = true } = {}) {
    const all = mentions();
    if (mention < 0 || mention >= all.size) return;
    current = mention;
    all.light(mention);
    const element = all.element(mention);
    reachable(element);
    if (move) {
      element.focus({ preventScroll: true });
      reveal(element);
    }
    describe(mention);
    afterPaint(() => {
      all.lightRest();
      drawMap();
      drawLinks();
    });
    remember(`#m${mention}`);
  }

  /** What need not be there in the frame that shows the focus; only the last asked for is done. */
  let asked = 0;
  function afterPaint(act) {
    const mine = (asked += 1);
    requestAnimationFrame(() => setTimeout(() => { if (mine === asked) act(); }, 40));
  }

  function leave() {
    if (current < 0) return;
    mentions().clear();
    current = -1;
    describeNothing();
    drawMap();
    drawLinks();
    remember("");
    say("No chain is focused.");
  }

  /** Tab reaches one mention; it becomes a button only then, so that buttons never nest. */
  function reachable(element) {
    if (stop === element) return;
    if (stop) {
      stop.removeAttribute("tabindex");
      stop.removeAttribute("role");
    }
    stop = element;
    if (stop) {
      stop.setAttribute("tabindex", "0");
      stop.setAttribute("role", "button");
    }
  }

  function reveal(element) {
    const box = element.getBoundingClientRect();
    const panel = find("[data-focused]");
    const docked = getComputedStyle(panel).position === "fixed";
    const bottom = innerHeight - (docked ? panel.offsetHeight : 0);
    if (box.top < 90 || box.bottom > bottom - 30) {
      const target = scrollY + box.top - Math.max(110, bottom * 0.38);
      scrollTo({ top: target, behavior: "instant" });
      // What was skipped so far has been laid out now: the place may have moved.
      const again = element.getBoundingClientRect();
      if (again.top < 90 || again.bottom > bottom - 30) element.scrollIntoView({ block: "center", behavior: "instant" });
    }
  }

  let remembering = 0;
  function remember(hash) {
    clearTimeout(remembering);
    remembering = setTimeout(() => {
      if (location.hash === hash) return;
      try {
        history.replaceState(null, "", hash || location.pathname + location.search);
      } catch { /* a page from a file may not change its address */ }
    }, 120);
  }

  let saying = 0;
  function say(words) {
    clearTimeout(saying);
    saying = setTimeout(() => { find("[data-live]").textContent = words; }, 60);
  }

  // --- the panel ---------------------------------------------------------------------------

  function jump(mention, words) {
    return made("a", { href: `#m${mention}` }, words);
  }

  function place(side, mention) {
    const members = mentions().members(side, mention);
    if (!members.length) return null;
    const name = mentions().nameOf(members);
    return { name, words: `${members.indexOf(mention) + 1} of ${members.length}`, first: members[0] };
  }

  function describe(mention) {
    const all = mentions();
    const one = all.caseOf(mention);
    const said = all.excerpt(mention);
    const chosen = all.data.chosen[mention];
    const expected = all.data.expected[mention];
    const list = made("dl", {});
    const row = (term, ...content) => list.append(made("dt", {}, term), made("dd", {}, ...content));
    const picked = chosenPhrase(mention);
    if (chosen >= 0) row("Chosen", jump(chosen, all.excerpt(chosen)));
    else if (picked) row("Chosen", picked);
    else if (one.mark !== "missed") row("Chosen", made("span", { class: "muted" }, "no antecedent"));
    if (expected >= 0) row("Expected", jump(expected, all.excerpt(expected)));
    else if (all.data.key[mention] >= 0) row("Expected", made("span", { class: "muted" }, "first of its chain"));
    const places = [["Key chain", place("key", mention)], ["Response chain", place("response", mention)]];
    for (const [term, found] of places) {
      if (found) row(term, jump(found.first, found.name), ` ${found.words}`);
    }
    const about = find("[data-about]");
    about.replaceChildren(
      made("p", { class: "verdict" },
        made("q", {}, said), " ",
        made("b", { class: one.mark }, `${one.sign} ${named(one.mark)}`),
        made("span", { class: "words" }, one.words)),
      list,
      buttons(mention),
      because(mention),
    );
    find("[data-focused]").classList.add("active");
    const parts = [`${said}: ${named(one.mark)}, ${one.words}.`];
    if (chosen >= 0) parts.push(`Chosen: ${all.excerpt(chosen)}.`);
    if (expected >= 0) parts.push(`Expected: ${all.excerpt(expected)}.`);
    if (places[0][1]) parts.push(`Mention ${places[0][1].words} of ${places[0][1].name}.`);
    say(parts.join(" "));
  }

  function named(mark) {
    return { uncounted: "not counted", alone: "left alone" }[mark] || mark;
  }

  function describeNothing() {
    find("[data-focused]").classList.remove("active");
    find("[data-about]").replaceChildren(
      made("p", { class: "hint" }, "Choose a mention, or press ", made("kbd", {}, "n"), " for the next error."),
    );
  }

  function buttons() {
    const button = (words, label, act) => made("button", { type: "button", class: "small", "aria-label": label, onclick: act }, words);
    return made("p", { class: "steps" },
      button("‹ error", "Previous error", () => toError(-1)),
      button("error ›", "Next error", () => toError(1)),
      button("‹ chain", "Previous mention of the chain", () => toMember(-1)),
      button("chain ›", "Next mention of the chain", () => toMember(1)),
      button("leave", "Leave the chain", leave));
  }

  function chosenPhrase(mention) {
    const one = why().of.get(mention);
    return one && one.antecedent >= 0 ? why().why.phrases[one.antecedent][0] : "";
  }

  function because(mention) {
    const known = why();
    const section = made("section", { class: "reasons" }, made("h3", {}, "Reasons"));
    const hint = (...words) => { section.append(made("p", { class: "hint" }, ...words)); return section; };
    if (known.kind !== "bench") return hint("Files of answers give no reasons; a comparison of resolvers (", made("code", {}, "corefbench bench"), ") keeps them.");
    if (!known.why) return hint("This run keeps no reasons for this response.");
    const one = known.of.get(mention);
    if (!one) return hint("The resolver did not look for an antecedent of this mention.");
    const facts = made("dl", {});
    if (one.rule) facts.append(made("dt", {}, "Rule"), made("dd", {}, one.rule));
    if (one.confidence !== null) {
      facts.append(made("dt", {}, "Confidence"), made("dd", {},
        made("meter", { min: "0", max: "1", value: String(one.confidence), "aria-label": "Confidence of the link" }),
        ` ${one.confidence.toFixed(2)}`));
    }
    section.append(facts);
    if (one.candidates.length) section.append(candidates(one, mention));
    else hint("No candidates were recorded.");
    return section;
  }

  function candidates(one, mention) {
    const { phrases, factors } = why().why;
    const all = mentions();
    const chain = all.data.key[mention];
    const kept = one.candidates.filter((candidate) => !candidate[1]);
    const dropped = one.candidates.filter((candidate) => candidate[1]);
    kept.sort((a, b) => (b[2] ?? 0) - (a[2] ?? 0));
    const body = made("tbody", {});
    const scored = kept.some((candidate) => candidate[2] !== null);
    for (const [phrase, why_not, score, parts] of [...kept, ...dropped]) {
      const [words, number] = phrases[phrase];
      const notes = [];
      if (phrase === one.antecedent) notes.push(made("b", {}, "→ chosen"));
      if (number >= 0 && chain >= 0 && all.data.key[number] === chain) notes.push(made("b", { class: "right" }, "✓ in the key chain"));
      if (parts.length) notes.push(made("span", { class: "muted" }, parts.map(([factor, value]) => `${factors[factor]} ${signed(value)}`).join(", ")));
      const cells = [
        made("th", { scope: "row" }, number >= 0 ? jump(number, words) : words, ...notes.map((note) => made("div", {}, note))),
        made("td", { class: "text" }, why_not ? `✗ ${why_not}` : "✓ passes"),
      ];
      if (scored) cells.push(made("td", {}, score === null ? "–" : String(Math.round(score * 100) / 100)));
      body.append(made("tr", { class: why_not ? "dropped" : "" }, ...cells));
    }
    const headers = ["Candidate", "Filter", ...(scored ? ["Score"] : [])];
    const head = made("tr", {}, ...headers.map((words, at) => made("th", { scope: "col", class: at === 1 ? "text" : "" }, words)));
    const caption = `${one.candidates.length} candidates, ${kept.length} after the filter`;
    return made("div", { class: "table-scroll", role: "region", tabindex: "0", "aria-label": caption },
      made("table", {}, made("caption", {}, caption), made("thead", {}, head), body));
  }

  function signed(value) {
    return value > 0 ? `+${Math.round(value * 100) / 100}` : `−${Math.round(-value * 100) / 100}`;
  }

  // --- steps -------------------------------------------------------------------------------

  function wanted(mention) {
    const all = mentions();
    return all.isError(mention) && (show !== "pronouns" || all.isPronoun(mention));
  }

  function toError(by) {
    const all = mentions();
    let at = current >= 0 ? current : by > 0 ? -1 : all.size;
    for (let seen = 0; seen < all.size; seen += 1) {
      at = (at + by + all.size) % all.size;
      if (wanted(at)) return select(at);
    }
    return say("There are no errors.");
  }

  /** Along the chain of the key; along that of the response where the key has none. */
  function toMember(by) {
    if (current < 0) return toError(by);
    const all = mentions();
    const key = all.members("key", current);
    const members = key.length > 1 ? key : all.members("response", current);
    if (members.length < 2) return say("This chain has no other mention.");
    const at = members.indexOf(current);
    return select(members[(at + by + members.length) % members.length]);
  }

  function isShown(mention) {
    if (show === "pronouns") return mentions().isPronoun(mention);
    return show !== "errors" || mentions().isError(mention);
  }

  function toNeighbour(by) {
    let at = mentions().mentionAt(document.activeElement);
    do at += by; while (at >= 0 && at < mentions().size && !isShown(at));
    select(at);
  }

  // --- links from the focused mention ------------------------------------------------------

  const links = find(".links");

  function drawLinks() {
    links.replaceChildren();
    if (current < 0) return;
    const all = mentions();
    const frame = text.getBoundingClientRect();
    const from = all.element(current).getClientRects()[0];
    const chosen = all.data.chosen[current];
    const expected = all.data.expected[current];
    const drawn = [];
    if (expected >= 0) drawn.push([expected, "expected"]);
    if (chosen >= 0) drawn.push([chosen, chosen === expected ? "both" : "chosen"]);
    for (const [mention, kind] of drawn) {
      const to = all.element(mention).getClientRects()[0];
      if (from && to) links.append(curve(from, to, frame, kind));
    }
  }

  function curve(from, to, frame, kind) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const x1 = from.left + from.width / 2 - frame.left;
    const x2 = to.left + to.width / 2 - frame.left;
    const level = Math.abs(from.top - to.top) < 6;
    const down = to.top < from.top;
    const y1 = (level || down ? from.top : from.bottom) - frame.top;
    const y2 = (level ? to.top : down ? to.bottom : to.top) - frame.top;
    const middle = level ? y1 - Math.min(26, 10 + Math.abs(x1 - x2) / 12) : (y1 + y2) / 2;
    path.setAttribute("d", `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`);
    path.setAttribute("class", kind);
    return path;
  }

  // --- lists -------------------------------------------------------------------------------

  const mistakes = find("[data-mistakes]");

  function mistake(mention) {
    const all = mentions();
    const one = all.caseOf(mention);
    const sign = made("span", { "aria-hidden": "true" }, one.sign);
    const about = [`${one.mark}`];
    const chosen = all.data.chosen[mention];
    const expected = all.data.expected[mention];
    const note = made("span", { class: "muted" }, about.join(""));
    if (chosen >= 0) note.append(", chosen ", made("q", {}, all.excerpt(chosen)));
    if (expected >= 0) note.append(", expected ", made("q", {}, all.excerpt(expected)));
    return made("li", { class: one.mark }, made("a", { href: `#m${mention}` }, sign, ` ${all.excerpt(mention)}`), " ", note);
  }

  function listMistakes(limit = LISTED) {
    if (!mistakes) return;
    const all = mentions();
    const found = [];
    for (let at = 0; at < all.size; at += 1) if (wanted(at)) found.push(at);
    mistakes.replaceChildren(...found.slice(0, limit).map(mistake));
    find("[data-error-count]").textContent = found.length.toLocaleString("en");
    more("[data-more-mistakes]", found.length, limit, () => listMistakes(limit + STEP));
  }

  function more(selector, total, limit, act) {
    const note = find(selector);
    note.hidden = total <= limit;
    if (note.hidden) return;
    note.replaceChildren(`${limit} of ${total.toLocaleString("en")}. `,
      made("button", { type: "button", class: "small", onclick: act }, `Show ${Math.min(STEP, total - limit)} more`));
  }

  let everyone = null;

  function entities() {
    if (everyone) return everyone;
    const all = mentions();
    const inKey = (members) => members.some((mention) => all.data.key[mention] >= 0);
    const rows = [...all.all("key").values()].map((members) => ({ members, side: "key" }));
    for (const members of all.all("response").values()) {
      if (!inKey(members)) rows.push({ members, side: "response" });
    }
    for (const row of rows) {
      row.name = all.nameOf(row.members);
      row.errors = row.members.filter((mention) => all.isError(mention)).length;
    }
    rows.sort((a, b) => b.members.length - a.members.length || a.members[0] - b.members[0]);
    everyone = rows;
    return rows;
  }

  function listEntities(limit = LISTED) {
    const asked = find("#entity").value.trim().toLowerCase();
    const found = entities().filter((row) => row.name.toLowerCase().includes(asked));
    find("[data-entities]").replaceChildren(...found.slice(0, limit).map((row) => {
      const about = row.side === "response" ? ", not in the key" : row.errors ? `, ${row.errors} wrong` : "";
      return made("li", {}, jump(row.members[0], row.name), " ", made("span", { class: "muted" }, `${row.members.length}${about}`));
    }));
    more("[data-more-entities]", found.length, limit, () => listEntities(limit + STEP));
    if (asked) say(`${found.length} entities.`);
  }

  // --- the minimap: where errors are, and where the chain goes -------------------------------

  const map = find("[data-minimap]");
  const canvas = map.querySelector("canvas");
  const LANES = { wrong: 0, missed: 1, spurious: 2 };
  let ground = null;

  function shade(mark) {
    return getComputedStyle(find(`.tally .${mark}`)).color;
  }

  function drawGround() {
    const all = mentions();
    const scale = devicePixelRatio || 1;
    const width = map.clientWidth, height = map.clientHeight;
    canvas.width = width * scale;
    canvas.height = height * scale;
    ground = document.createElement("canvas");
    ground.width = canvas.width;
    ground.height = canvas.height;
    const pen = ground.getContext("2d");
    pen.scale(scale, scale);
    for (const [mark, lane] of Object.entries(LANES)) {
      pen.fillStyle = shade(mark);
      for (let at = 0; at < all.size; at += 1) {
        if (all.caseOf(at).mark === mark && wanted(at)) pen.fillRect(1 + lane * 5, all.data.start[at] / all.data.words * height, 4, 2);
      }
    }
  }

  function drawMap() {
    if (!ground) return;
    const pen = canvas.getContext("2d");
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(ground, 0, 0);
    if (current < 0) return;
    const all = mentions();
    pen.fillStyle = getComputedStyle(text).color;
    for (const mention of all.members("key", current)) {
      pen.fillRect(canvas.width * 0.85, all.data.start[mention] / all.data.words * canvas.height, canvas.width * 0.15, 2);
    }
    pen.fillRect(0, all.data.start[current] / all.data.words * canvas.height - 1, canvas.width, 3);
  }

  function prepareMap() {
    drawGround();
    drawMap();
  }

  map.addEventListener("click", (event) => {
    const all = mentions();
    const token = event.offsetY / map.clientHeight * all.data.words;
    let best = -1;
    for (let at = 0; at < all.size; at += 1) {
      if (wanted(at) && (best < 0 || Math.abs(all.data.start[at] - token) < Math.abs(all.data.start[best] - token))) best = at;
    }
    select(best);
  });

  // --- events ------------------------------------------------------------------------------

  text.addEventListener("click", (event) => {
    const mention = mentions().mentionAt(event.target);
    if (mention >= 0 && getSelection().isCollapsed) select(mention);
  });

  let hovered = -1;
  text.addEventListener("mouseover", (event) => {
    if (current >= 0 || !event.target.closest(".m")) return;
    const mention = mentions().mentionAt(event.target);
    if (mention === hovered) return;
    hovered = mention;
    requestAnimationFrame(() => { if (current < 0 && hovered === mention && mention >= 0) mentions().light(mention, false); });
  });
  text.addEventListener("mouseout", () => {
    if (current < 0 && hovered >= 0) mentions().clear();
    hovered = -1;
  });

  const dialog = find("[data-dialog]");
  const single = find("[data-single]");
  const kept = (name, value) => {
    try {
      if (value === undefined) return localStorage.getItem(name);
      localStorage.setItem(name, value);
    } catch { /* a browser that keeps nothing */ }
    return null;
  };
  single.checked = kept("letters") !== "off";
  single.addEventListener("change", () => kept("letters", single.checked ? "on" : "off"));

  const LETTERS = {
    n: () => toError(1),
    p: () => toError(-1),
    j: () => toMember(1),
    k: () => toMember(-1),
    "/": () => find("#entity").focus(),
    "?": () => dialog.showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea")) {
      if (event.key === "Escape" && event.target.id === "entity") { event.target.value = ""; listEntities(); if (stop) stop.focus(); }
      return;
    }
    const inText = document.activeElement && document.activeElement === stop;
    let act = null;
    if (single.checked) act = LETTERS[event.key];
    if (event.key === "Escape") act = leave;
    if (inText && event.key === "ArrowRight") act = () => toNeighbour(1);
    if (inText && event.key === "ArrowLeft") act = () => toNeighbour(-1);
    if (inText && (event.key === "Enter" || event.key === " ")) act = () => select(mentions().mentionAt(stop));
    if (!act) return;
    event.preventDefault();
    act();
  });

  addEventListener("hashchange", fromHash);
  // The same address twice is no change, but the reader asks to see the mention again.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#m']");
    if (!link) return;
    event.preventDefault();
    select(Number(link.getAttribute("href").slice(2)));
  });

  function fromHash() {
    const found = /^#m(\d+)$/.exec(location.hash);
    if (found) select(Number(found[1]));
  }

  find("[data-filter]").addEventListener("change", (event) => {
    show = event.target.value;
    text.dataset.show = show;
    listMistakes();
    prepareMap();
    if (location.protocol === "file:") return;
    const address = new URL(location);
    address.searchParams.set("show", show);
    history.replaceState(null, "", address);
  });
  find("#entity").addEventListener("input", () => listEntities());
  find("[data-keys]").addEventListener("click", () => dialog.showModal());

  let redrawing = 0;
  function redraw() {
    if (current < 0 || redrawing) return;
    redrawing = requestAnimationFrame(() => { redrawing = 0; drawLinks(); });
  }
  addEventListener("scroll", redraw, { passive: true });
  let resizing = 0;
  addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(() => { prepareMap(); redraw(); }, 120); });
  new MutationObserver(prepareMap).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", prepareMap);

  // --- begin -------------------------------------------------------------------------------

  for (const name of ["filter", "keys", "search"]) find(`[data-${name}]`).hidden = false;
  map.hidden = false;
  describeNothing();
  // After the first paint: the text is there to be read before anything can be asked of it.
  requestAnimationFrame(() => setTimeout(() => {
    if (current < 0) fromHash();
    if (!stop) {
      const all = mentions();
      let first = 0;
      while (first < all.size && !wanted(first)) first += 1;
      reachable(all.size ? all.element(first < all.size ? first : 0) : null);
    }
    why();
    prepareMap();
    if (location.hash === "" || current >= 0) document.documentElement.dataset.ready = "";
  }));
})();
