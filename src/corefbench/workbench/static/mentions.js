// The mentions of one text: what is known of them, their elements, and the chains that are lit.
// A classic script: pages of a static bundle are opened from files, where modules do not load.
"use strict";

const ERROR_MARKS = new Set(["wrong", "missed", "spurious"]);

const NEAR = 200; // mentions to either side of one that may be on the same screen

/** The JSON that a page carries in a script element. */
function carried(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** An element with attributes and children; strings become text, never markup. */
function made(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") element.className = value;
    else if (name === "onclick") element.addEventListener("click", value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

class Marked {
  /** `data` has a list for each column; identifiers of elements begin with `prefix`. */
  constructor(data, prefix) {
    this.data = data;
    this.prefix = prefix;
    this.size = data.case.length;
    this.lit = [];
    this.chains = {};
  }

  element(mention) {
    return document.getElementById(this.prefix + mention);
  }

  /** The element and those that continue it elsewhere. */
  pieces(mention) {
    if (!this.continued) {
      this.continued = new Map();
      for (const piece of document.querySelectorAll(".m.c")) {
        const name = piece.dataset.m;
        if (!this.continued.has(name)) this.continued.set(name, []);
        this.continued.get(name).push(piece);
      }
    }
    const first = this.element(mention);
    const rest = this.continued.get(this.prefix + mention);
    return rest ? [first, ...rest] : [first];
  }

  /** The mention that an element, or what is around it, belongs to; -1 for none. */
  mentionAt(element) {
    const found = element.closest(".m");
    const name = found && (found.id || found.dataset.m);
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

  /** All chains of a side ("key", "response") with their mentions, made when first asked for. */
  all(side) {
    if (!this.chains[side]) {
      const chains = (this.chains[side] = new Map());
      this.data[side].forEach((chain, mention) => {
        if (chain < 0) return;
        const members = chains.get(chain);
        if (members) members.push(mention);
        else chains.set(chain, [mention]);
      });
    }
    return this.chains[side];
  }

  /** The mentions of the chain that a mention is in, on one side. */
  members(side, mention) {
    const chain = this.data[side][mention];
    return chain < 0 ? [] : this.all(side).get(chain);
  }

  /** What a chain is called: its first mention that is no pronoun. */
  nameOf(members) {
    const lead = members.find((mention) => !this.data.pronoun[mention]);
    return this.excerpt(lead === undefined ? members[0] : lead);
  }

  /**
   * Mark the two chains of a mention; numbers say which member each is. Members far off in a long
   * chain wait for `lightRest`.
   */
  light(mention, chosen = true) {
    this.clear();
    const key = this.members("key", mention);
    const response = this.members("response", mention);
    const numbers = new Map();
    key.forEach((member, place) => numbers.set(member, `${place + 1}`));
    response.forEach((member, place) => {
      const known = numbers.get(member);
      numbers.set(member, known ? `${known}·r${place + 1}` : `r${place + 1}`);
    });
    const inKey = new Set(key);
    const inResponse = new Set(response);
    if (!numbers.size) numbers.set(mention, "");
    const mark = ([member, number]) => {
      for (const element of this.pieces(member)) {
        if (inKey.has(member)) element.classList.add("k");
        if (inResponse.has(member)) element.classList.add("q");
        if (chosen && number && element.id) element.dataset.n = number;
        this.lit.push(element);
      }
    };
    const far = ([member]) => chosen && Math.abs(member - mention) > NEAR;
    const members = [...numbers];
    members.filter((one) => !far(one)).forEach(mark);
    this.rest = () => members.filter(far).forEach(mark);
    if (chosen) {
      for (const element of this.pieces(mention)) {
        element.classList.add("f");
        this.lit.push(element);
      }
    }
  }

  lightRest() {
    if (this.rest) this.rest();
    this.rest = null;
  }

  clear() {
    this.rest = null;
    for (const element of this.lit) {
      element.classList.remove("k", "q", "f");
      delete element.dataset.n;
    }
    this.lit = [];
  }
}
