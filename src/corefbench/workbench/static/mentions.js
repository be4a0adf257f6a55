// The mentions of a text and what both reading views do with them.
// A classic script: pages of a static bundle are opened from files, where modules do not load.
"use strict";

const ERROR_MARKS = new Set(["wrong", "missed", "spurious"]);
const NEARBY_MENTIONS = 200; // to either side of one that may be on the same screen

function find(selector) {
  return document.querySelector(selector);
}

/** Parse the JSON of a script element. */
function readJSON(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** Create an element with attributes and children; strings become text, never markup. */
function createElement(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") element.className = value;
    else if (name === "onclick") element.addEventListener("click", value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Create a row of small buttons from texts, labels and actions. */
function createButtons(...buttons) {
  return createElement("p", { class: "steps" }, ...buttons.map(([text, label, action]) =>
    createElement("button", { type: "button", class: "small", "aria-label": label, onclick: action }, text)));
}

/** The mentions of one text, their elements, and the chains that are highlighted. */
class MentionList {
  /** `data` has a list for each column; identifiers of elements begin with `prefix`. */
  constructor(data, prefix) {
    this.data = data;
    this.prefix = prefix;
    this.size = data.case.length;
    this.highlighted = [];
    this.highlightLater = null;
    this.chains = {};
  }

  element(mention) {
    return document.getElementById(this.prefix + mention);
  }

  /** The element and those that continue it elsewhere. */
  pieces(mention) {
    if (!this.continuations) {
      this.continuations = new Map();
      for (const piece of document.querySelectorAll(".m.c")) {
        const name = piece.dataset.m;
        if (!this.continuations.has(name)) this.continuations.set(name, []);
        this.continuations.get(name).push(piece);
      }
    }
    return [this.element(mention), ...(this.continuations.get(this.prefix + mention) || [])];
  }

  /** The mention that an element, or what is around it, belongs to; -1 for none. */
  mentionAt(element) {
    const closest = element.closest(".m");
    const name = closest && (closest.id || closest.dataset.m);
    if (!name || !name.startsWith(this.prefix)) return -1;
    const number = Number(name.slice(this.prefix.length));
    return Number.isInteger(number) && number < this.size ? number : -1;
  }

  caseOf(mention) {
    return this.data.cases[this.data.case[mention]];
  }

  isError(mention) {
    return ERROR_MARKS.has(this.caseOf(mention).mark);
  }

  isPronoun(mention) {
    return this.data.pronoun[mention] === 1;
  }

  excerpt(mention) {
    return this.pieces(mention).map((piece) => piece.textContent.trim()).join(" … ").replace(/\s+/g, " ");
  }

  /** All chains of a side ("key", "response") with their mentions, built on first use. */
  chainsOf(side) {
    if (!this.chains[side]) {
      const chains = (this.chains[side] = new Map());
      this.data[side].forEach((chain, mention) => {
        if (chain < 0) return;
        if (!chains.has(chain)) chains.set(chain, []);
        chains.get(chain).push(mention);
      });
    }
    return this.chains[side];
  }

  /** The mentions of the chain that a mention is in, on one side. */
  members(side, mention) {
    const chain = this.data[side][mention];
    return chain < 0 ? [] : this.chainsOf(side).get(chain);
  }

  /** The mention `step` places on in the chain of the key, or of the response where the key has none; -1 if alone. */
  neighbourInChain(mention, step) {
    const keyMembers = this.members("key", mention);
    const members = keyMembers.length > 1 ? keyMembers : this.members("response", mention);
    if (members.length < 2) return -1;
    return members[(members.indexOf(mention) + step + members.length) % members.length];
  }

  /** The name of a chain: its first mention that is no pronoun. */
  chainName(members) {
    const named = members.find((mention) => !this.data.pronoun[mention]);
    return this.excerpt(named === undefined ? members[0] : named);
  }

  /**
   * Highlight the two chains of a mention; numbers say which member each is. Members far off in a
   * long chain wait for `highlightRest`.
   */
  highlight(mention, isFocused = true) {
    this.clear();
    const key = this.members("key", mention);
    const response = this.members("response", mention);
    const numbers = new Map();
    key.forEach((member, index) => numbers.set(member, `${index + 1}`));
    response.forEach((member, index) => {
      const keyNumber = numbers.get(member);
      numbers.set(member, keyNumber ? `${keyNumber}·r${index + 1}` : `r${index + 1}`);
    });
    const inKey = new Set(key);
    const inResponse = new Set(response);
    if (!numbers.size) numbers.set(mention, "");
    const mark = ([member, number]) => {
      for (const element of this.pieces(member)) {
        if (inKey.has(member)) element.classList.add("k");
        if (inResponse.has(member)) element.classList.add("q");
        if (isFocused && number && element.id) element.dataset.n = number;
        this.highlighted.push(element);
      }
    };
    const isFar = ([member]) => isFocused && Math.abs(member - mention) > NEARBY_MENTIONS;
    const members = [...numbers];
    members.filter((entry) => !isFar(entry)).forEach(mark);
    this.highlightLater = () => members.filter(isFar).forEach(mark);
    if (isFocused) {
      for (const element of this.pieces(mention)) {
        element.classList.add("f");
        this.highlighted.push(element);
      }
    }
  }

  highlightRest() {
    if (this.highlightLater) this.highlightLater();
    this.highlightLater = null;
  }

  clear() {
    this.highlightLater = null;
    for (const element of this.highlighted) {
      element.classList.remove("k", "q", "f");
      delete element.dataset.n;
    }
    this.highlighted = [];
  }
}

/** Keyboard focus, scrolling, the address and announcements of a reading view. */
class ReadingFocus {
  /** `headerHeight` is what sticky headers cover, in pixels. */
  constructor(headerHeight) {
    this.headerHeight = headerHeight;
    this.element = null; // the one mention that Tab reaches
    this.hashTimer = 0;
    this.statusTimer = 0;
  }

  /** Let Tab reach one mention; it becomes a button only then, so that buttons never nest. */
  setElement(element) {
    if (this.element === element) return;
    if (this.element) {
      this.element.removeAttribute("tabindex");
      this.element.removeAttribute("role");
    }
    this.element = element;
    if (element) {
      element.setAttribute("tabindex", "0");
      element.setAttribute("role", "button");
    }
  }

  /** Focus a mention and scroll to it unless it is visible. */
  moveTo(element) {
    this.setElement(element);
    element.focus({ preventScroll: true });
    const panel = find("[data-focused]");
    const isDocked = getComputedStyle(panel).position === "fixed";
    const bottom = innerHeight - (isDocked ? panel.offsetHeight : 0);
    const isHidden = (box) => box.top < this.headerHeight || box.bottom > bottom - 30;
    const box = element.getBoundingClientRect();
    if (!isHidden(box)) return;
    scrollTo({ top: scrollY + box.top - Math.max(this.headerHeight + 20, bottom * 0.38), behavior: "instant" });
    // Blocks that were skipped so far have been laid out now: the mention may have moved.
    if (isHidden(element.getBoundingClientRect())) element.scrollIntoView({ block: "center", behavior: "instant" });
  }

  /** Put the focused mention into the address, once the reader stops moving. */
  updateHash(hash) {
    clearTimeout(this.hashTimer);
    this.hashTimer = setTimeout(() => {
      if (location.hash === hash) return;
      try {
        history.replaceState(null, "", hash || location.pathname + location.search);
      } catch { /* a page from a file may not change its address */ }
    }, 120);
  }

  /** Announce a text to screen readers. */
  announce(text) {
    clearTimeout(this.statusTimer);
    this.statusTimer = setTimeout(() => { find("[data-status]").textContent = text; }, 60);
  }

  /**
   * Listen to keys: `letters` by key, unless the reader switches them off; `leave` for Escape; in
   * the text `step` for arrows and `select` for Enter. `typing` gets the keys of text fields.
   */
  listen({ letters, leave, step, select, typing }) {
    const dialog = find("[data-dialog]");
    const letterSwitch = find("[data-letter-keys]");
    try { letterSwitch.checked = localStorage.getItem("letters") !== "off"; } catch { /* storage is blocked */ }
    letterSwitch.addEventListener("change", () => {
      try { localStorage.setItem("letters", letterSwitch.checked ? "on" : "off"); } catch { /* storage is blocked */ }
    });
    find("[data-show-keys]").addEventListener("click", () => dialog.showModal());
    find("[data-show-keys]").hidden = false;
    const actions = { ...letters, "?": () => dialog.showModal() };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
      if (event.target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea")) {
        if (typing) typing(event);
        return;
      }
      const inText = this.element && document.activeElement === this.element;
      let action = letterSwitch.checked ? actions[event.key] : null;
      if (event.key === "Escape") action = leave;
      if (inText && event.key === "ArrowRight") action = () => step(1);
      if (inText && event.key === "ArrowLeft") action = () => step(-1);
      if (inText && (event.key === "Enter" || event.key === " ")) action = () => select(this.element);
      if (!action) return;
      event.preventDefault();
      action();
    });
  }
}
