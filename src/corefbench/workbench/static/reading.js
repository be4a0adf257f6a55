// The reading view: focus a mention, see its chains, its antecedents and the resolver's reasons.
"use strict";

(() => {
  const text = find("[data-text]");
  if (!text) return;

  const LISTED = 60;
  const MORE_LISTED = 200;
  const focus = new ReadingFocus(90);
  let mentionList = null;
  let explanations = null;
  let current = -1;
  let show = text.dataset.show;

  // Data is parsed when it is first needed, after the text has been painted.
  function mentions() {
    if (!mentionList) mentionList = new MentionList(readJSON("reading-data"), "m");
    return mentionList;
  }

  function loadExplanations() {
    if (!explanations) {
      const { kind, why } = readJSON("reading-why");
      const decisions = why ? why.decisions.map((decision) => [decision.mention, decision]) : [];
      explanations = { kind, tables: why, decisions: new Map(decisions) };
    }
    return explanations;
  }

  // --- focus -------------------------------------------------------------------------------

  function select(mention) {
    const list = mentions();
    if (mention < 0 || mention >= list.size) return;
    current = mention;
    list.highlight(mention);
    focus.moveTo(list.element(mention));
    describe(mention);
    afterPaint(() => {
      list.highlightRest();
      drawMap();
      drawLinks();
    });
    focus.updateHash(`#m${mention}`);
  }

  /** Do what need not be there in the frame that shows the focus; only the last request is done. */
  let lastRequest = 0;
  function afterPaint(action) {
    const request = (lastRequest += 1);
    requestAnimationFrame(() => setTimeout(() => { if (request === lastRequest) action(); }, 40));
  }

  function leave() {
    if (current < 0) return;
    mentions().clear();
    current = -1;
    describeNothing();
    drawMap();
    drawLinks();
    focus.updateHash("");
    focus.announce("No chain is focused.");
  }

  // --- the panel ---------------------------------------------------------------------------

  function createLink(mention, label) {
    return createElement("a", { href: `#m${mention}` }, label);
  }

  function chainPosition(side, mention) {
    const members = mentions().members(side, mention);
    if (!members.length) return null;
    const position = `${members.indexOf(mention) + 1} of ${members.length}`;
    return { name: mentions().chainName(members), position, first: members[0] };
  }

  function describe(mention) {
    const list = mentions();
    const outcome = list.caseOf(mention);
    const excerpt = list.excerpt(mention);
    const chosen = list.data.chosen[mention];
    const expected = list.data.expected[mention];
    const facts = createElement("dl", {});
    const addFact = (term, ...content) => facts.append(createElement("dt", {}, term), createElement("dd", {}, ...content));
    const phrase = chosenPhrase(mention);
    if (chosen >= 0) addFact("Chosen", createLink(chosen, list.excerpt(chosen)));
    else if (phrase) addFact("Chosen", phrase);
    else if (outcome.mark !== "missed") addFact("Chosen", createElement("span", { class: "muted" }, "no antecedent"));
    if (expected >= 0) addFact("Expected", createLink(expected, list.excerpt(expected)));
    else if (list.data.key[mention] >= 0) addFact("Expected", createElement("span", { class: "muted" }, "first of its chain"));
    const keyChain = chainPosition("key", mention);
    const responseChain = chainPosition("response", mention);
    if (keyChain) addFact("Key chain", createLink(keyChain.first, keyChain.name), ` ${keyChain.position}`);
    if (responseChain) addFact("Response chain", createLink(responseChain.first, responseChain.name), ` ${responseChain.position}`);
    find("[data-details]").replaceChildren(
      createElement("p", { class: "verdict" },
        createElement("q", {}, excerpt), " ",
        createElement("b", { class: outcome.mark }, `${outcome.sign} ${markTitle(outcome.mark)}`),
        createElement("span", { class: "words" }, outcome.words)),
      facts,
      createButtons(
        ["‹ error", "Previous error", () => toError(-1)],
        ["error ›", "Next error", () => toError(1)],
        ["‹ chain", "Previous mention of the chain", () => toMember(-1)],
        ["chain ›", "Next mention of the chain", () => toMember(1)],
        ["leave", "Leave the chain", leave]),
      explain(mention),
    );
    find("[data-focused]").classList.add("active");
    const sentences = [`${excerpt}: ${markTitle(outcome.mark)}, ${outcome.words}.`];
    if (chosen >= 0) sentences.push(`Chosen: ${list.excerpt(chosen)}.`);
    if (expected >= 0) sentences.push(`Expected: ${list.excerpt(expected)}.`);
    if (keyChain) sentences.push(`Mention ${keyChain.position} of ${keyChain.name}.`);
    focus.announce(sentences.join(" "));
  }

  function markTitle(mark) {
    return { uncounted: "not counted", alone: "left alone" }[mark] || mark;
  }

  function describeNothing() {
    find("[data-focused]").classList.remove("active");
    find("[data-details]").replaceChildren(
      createElement("p", { class: "hint" }, "Choose a mention, or press ", createElement("kbd", {}, "n"), " for the next error."),
    );
  }

  function chosenPhrase(mention) {
    const { tables, decisions } = loadExplanations();
    const decision = decisions.get(mention);
    return decision && decision.antecedent >= 0 ? tables.phrases[decision.antecedent][0] : "";
  }

  function explain(mention) {
    const { kind, tables, decisions } = loadExplanations();
    const section = createElement("section", { class: "reasons" }, createElement("h3", {}, "Reasons"));
    const addHint = (...content) => { section.append(createElement("p", { class: "hint" }, ...content)); return section; };
    if (kind !== "bench") return addHint("Files of answers give no reasons; a comparison of resolvers (", createElement("code", {}, "corefbench bench"), ") keeps them.");
    if (!tables) return addHint("This run keeps no reasons for this response.");
    const decision = decisions.get(mention);
    if (!decision) return addHint("The resolver did not look for an antecedent of this mention.");
    const facts = createElement("dl", {});
    if (decision.rule) facts.append(createElement("dt", {}, "Rule"), createElement("dd", {}, decision.rule));
    if (decision.confidence !== null) {
      facts.append(createElement("dt", {}, "Confidence"), createElement("dd", {},
        createElement("meter", { min: "0", max: "1", value: String(decision.confidence), "aria-label": "Confidence of the link" }),
        ` ${decision.confidence.toFixed(2)}`));
    }
    section.append(facts);
    if (decision.candidates.length) section.append(candidateTable(decision, mention));
    else addHint("No candidates were recorded.");
    return section;
  }

  function candidateTable(decision, mention) {
    const { phrases, factors } = loadExplanations().tables;
    const list = mentions();
    const chain = list.data.key[mention];
    // A candidate is [phrase, why it was dropped, score, factors].
    const passing = decision.candidates.filter((candidate) => !candidate[1]);
    const dropped = decision.candidates.filter((candidate) => candidate[1]);
    passing.sort((a, b) => (b[2] ?? 0) - (a[2] ?? 0));
    const body = createElement("tbody", {});
    const hasScores = passing.some((candidate) => candidate[2] !== null);
    for (const [phrase, filter, score, parts] of [...passing, ...dropped]) {
      const [label, number] = phrases[phrase];
      const notes = [];
      if (phrase === decision.antecedent) notes.push(createElement("b", {}, "→ chosen"));
      if (number >= 0 && chain >= 0 && list.data.key[number] === chain) notes.push(createElement("b", { class: "right" }, "✓ in the key chain"));
      if (parts.length) notes.push(createElement("span", { class: "muted" }, parts.map(([factor, value]) => `${factors[factor]} ${formatSigned(value)}`).join(", ")));
      const cells = [
        createElement("th", { scope: "row" }, number >= 0 ? createLink(number, label) : label, ...notes.map((note) => createElement("div", {}, note))),
        createElement("td", { class: "text" }, filter ? `✗ ${filter}` : "✓ passes"),
      ];
      if (hasScores) cells.push(createElement("td", {}, score === null ? "–" : String(Math.round(score * 100) / 100)));
      body.append(createElement("tr", { class: filter ? "dropped" : "" }, ...cells));
    }
    const headers = ["Candidate", "Filter", ...(hasScores ? ["Score"] : [])];
    const head = createElement("tr", {}, ...headers.map((header, column) => createElement("th", { scope: "col", class: column === 1 ? "text" : "" }, header)));
    const caption = `${decision.candidates.length} candidates, ${passing.length} after the filter`;
    return createElement("div", { class: "table-scroll", role: "region", tabindex: "0", "aria-label": caption },
      createElement("table", {}, createElement("caption", {}, caption), createElement("thead", {}, head), body));
  }

  function formatSigned(value) {
    return value > 0 ? `+${Math.round(value * 100) / 100}` : `−${Math.round(-value * 100) / 100}`;
  }

  // --- steps -------------------------------------------------------------------------------

  function isListedError(mention) {
    const list = mentions();
    return list.isError(mention) && (show !== "pronouns" || list.isPronoun(mention));
  }

  function listedErrors() {
    return Array.from({ length: mentions().size }, (_, mention) => mention).filter(isListedError);
  }

  function toError(step) {
    const { size } = mentions();
    let mention = current >= 0 ? current : step > 0 ? -1 : size;
    for (let seen = 0; seen < size; seen += 1) {
      mention = (mention + step + size) % size;
      if (isListedError(mention)) return select(mention);
    }
    return focus.announce("There are no errors.");
  }

  function toMember(step) {
    if (current < 0) return toError(step);
    const neighbour = mentions().neighbourInChain(current, step);
    return neighbour < 0 ? focus.announce("This chain has no other mention.") : select(neighbour);
  }

  function isShown(mention) {
    if (show === "pronouns") return mentions().isPronoun(mention);
    return show !== "errors" || mentions().isError(mention);
  }

  function toNeighbour(step) {
    let mention = mentions().mentionAt(document.activeElement);
    do mention += step; while (mention >= 0 && mention < mentions().size && !isShown(mention));
    select(mention);
  }

  // --- links from the focused mention ------------------------------------------------------

  const links = find(".links");

  function drawLinks() {
    links.replaceChildren();
    if (current < 0) return;
    const list = mentions();
    const frame = text.getBoundingClientRect();
    const from = list.element(current).getClientRects()[0];
    const chosen = list.data.chosen[current];
    const expected = list.data.expected[current];
    const antecedents = [];
    if (expected >= 0) antecedents.push([expected, "expected"]);
    if (chosen >= 0) antecedents.push([chosen, chosen === expected ? "both" : "chosen"]);
    for (const [mention, kind] of antecedents) {
      const to = list.element(mention).getClientRects()[0];
      if (from && to) links.append(createCurve(from, to, frame, kind));
    }
  }

  function createCurve(from, to, frame, kind) {
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

  const errorList = find("[data-errors]");

  function createErrorItem(mention) {
    const list = mentions();
    const outcome = list.caseOf(mention);
    const chosen = list.data.chosen[mention];
    const expected = list.data.expected[mention];
    const note = createElement("span", { class: "muted" }, outcome.mark);
    if (chosen >= 0) note.append(", chosen ", createElement("q", {}, list.excerpt(chosen)));
    if (expected >= 0) note.append(", expected ", createElement("q", {}, list.excerpt(expected)));
    const sign = createElement("span", { "aria-hidden": "true" }, outcome.sign);
    return createElement("li", { class: outcome.mark }, createElement("a", { href: `#m${mention}` }, sign, ` ${list.excerpt(mention)}`), " ", note);
  }

  function listErrors(limit = LISTED) {
    if (!errorList) return;
    const errors = listedErrors();
    errorList.replaceChildren(...errors.slice(0, limit).map(createErrorItem));
    find("[data-error-count]").textContent = errors.length.toLocaleString("en");
    offerMore("[data-more-errors]", errors.length, limit, () => listErrors(limit + MORE_LISTED));
  }

  function offerMore(selector, total, limit, action) {
    const note = find(selector);
    note.hidden = total <= limit;
    if (note.hidden) return;
    note.replaceChildren(`${limit} of ${total.toLocaleString("en")}. `,
      createElement("button", { type: "button", class: "small", onclick: action }, `Show ${Math.min(MORE_LISTED, total - limit)} more`));
  }

  let entityRows = null;

  function entities() {
    if (entityRows) return entityRows;
    const list = mentions();
    const isInKey = (members) => members.some((mention) => list.data.key[mention] >= 0);
    const rows = [...list.chainsOf("key").values()].map((members) => ({ members, side: "key" }));
    for (const members of list.chainsOf("response").values()) {
      if (!isInKey(members)) rows.push({ members, side: "response" });
    }
    for (const row of rows) {
      row.name = list.chainName(row.members);
      row.errors = row.members.filter((mention) => list.isError(mention)).length;
    }
    entityRows = rows.sort((a, b) => b.members.length - a.members.length || a.members[0] - b.members[0]);
    return entityRows;
  }

  function listEntities(limit = LISTED) {
    const query = find("#entity").value.trim().toLowerCase();
    const matches = entities().filter((row) => row.name.toLowerCase().includes(query));
    find("[data-entities]").replaceChildren(...matches.slice(0, limit).map((row) => {
      const about = row.side === "response" ? ", not in the key" : row.errors ? `, ${row.errors} wrong` : "";
      return createElement("li", {}, createLink(row.members[0], row.name), " ", createElement("span", { class: "muted" }, `${row.members.length}${about}`));
    }));
    offerMore("[data-more-entities]", matches.length, limit, () => listEntities(limit + MORE_LISTED));
    if (query) focus.announce(`${matches.length} entities.`);
  }

  // --- the minimap: where errors are, and where the chain goes -------------------------------

  const map = find("[data-minimap]");
  const canvas = map.querySelector("canvas");
  const LANES = { wrong: 0, missed: 1, spurious: 2 };
  let background = null;

  /** Draw the errors once; the focused chain is drawn over them. */
  function drawBackground() {
    const list = mentions();
    const scale = devicePixelRatio || 1;
    const height = map.clientHeight;
    canvas.width = map.clientWidth * scale;
    canvas.height = height * scale;
    background = document.createElement("canvas");
    background.width = canvas.width;
    background.height = canvas.height;
    const context = background.getContext("2d");
    context.scale(scale, scale);
    const errors = listedErrors();
    for (const [mark, lane] of Object.entries(LANES)) {
      context.fillStyle = getComputedStyle(find(`.tally .${mark}`)).color;
      for (const mention of errors) {
        if (list.caseOf(mention).mark === mark) context.fillRect(1 + lane * 5, list.data.start[mention] / list.data.words * height, 4, 2);
      }
    }
  }

  function drawMap() {
    if (!background) return;
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(background, 0, 0);
    if (current < 0) return;
    const list = mentions();
    const position = (mention) => list.data.start[mention] / list.data.words * canvas.height;
    context.fillStyle = getComputedStyle(text).color;
    for (const mention of list.members("key", current)) {
      context.fillRect(canvas.width * 0.85, position(mention), canvas.width * 0.15, 2);
    }
    context.fillRect(0, position(current) - 1, canvas.width, 3);
  }

  function redrawMap() {
    drawBackground();
    drawMap();
  }

  map.addEventListener("click", (event) => {
    const { start, words } = mentions().data;
    const token = event.offsetY / map.clientHeight * words;
    const distance = (mention) => Math.abs(start[mention] - token);
    const nearest = listedErrors().reduce((best, mention) => (best < 0 || distance(mention) < distance(best) ? mention : best), -1);
    select(nearest);
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
    requestAnimationFrame(() => { if (current < 0 && hovered === mention && mention >= 0) mentions().highlight(mention, false); });
  });
  text.addEventListener("mouseout", () => {
    if (current < 0 && hovered >= 0) mentions().clear();
    hovered = -1;
  });

  focus.listen({
    letters: {
      n: () => toError(1),
      p: () => toError(-1),
      j: () => toMember(1),
      k: () => toMember(-1),
      "/": () => find("#entity").focus(),
    },
    leave,
    step: toNeighbour,
    select: (element) => select(mentions().mentionAt(element)),
    typing(event) {
      if (event.key !== "Escape" || event.target.id !== "entity") return;
      event.target.value = "";
      listEntities();
      if (focus.element) focus.element.focus();
    },
  });

  addEventListener("hashchange", selectFromHash);
  // The same address twice is no change, but the reader asks to see the mention again.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#m']");
    if (!link) return;
    event.preventDefault();
    select(Number(link.getAttribute("href").slice(2)));
  });

  function selectFromHash() {
    const match = /^#m(\d+)$/.exec(location.hash);
    if (match) select(Number(match[1]));
  }

  find("[data-filter]").addEventListener("change", (event) => {
    show = event.target.value;
    text.dataset.show = show;
    listErrors();
    redrawMap();
    if (location.protocol === "file:") return;
    const url = new URL(location);
    url.searchParams.set("show", show);
    history.replaceState(null, "", url);
  });
  find("#entity").addEventListener("input", () => listEntities());

  let redrawRequest = 0;
  function redrawLinks() {
    if (current < 0 || redrawRequest) return;
    redrawRequest = requestAnimationFrame(() => { redrawRequest = 0; drawLinks(); });
  }
  addEventListener("scroll", redrawLinks, { passive: true });
  let resizeTimer = 0;
  addEventListener("resize", () => { clearTimeout(resizeTimer); resizeTimer = setTimeout(() => { redrawMap(); redrawLinks(); }, 120); });
  new MutationObserver(redrawMap).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawMap);

  // --- begin -------------------------------------------------------------------------------

  for (const name of ["filter", "search"]) find(`[data-${name}]`).hidden = false;
  map.hidden = false;
  describeNothing();
  // After the first paint: the text can be read before anything else is computed.
  requestAnimationFrame(() => setTimeout(() => {
    if (current < 0) selectFromHash();
    if (!focus.element && mentions().size) focus.setElement(mentions().element(listedErrors()[0] ?? 0));
    loadExplanations();
    redrawMap();
    if (location.hash === "" || current >= 0) document.documentElement.dataset.ready = "";
  }));
})();
