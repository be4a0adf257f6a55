// A tried text: a chain is highlighted when it is chosen in the list or in the text.
"use strict";

(() => {
  const text = document.querySelector("[data-words]");
  if (!text) return;
  const buttons = [...document.querySelectorAll("[data-chain]")];

  function highlight(chain) {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.chain === chain));
    for (const piece of text.querySelectorAll("[data-chains]")) {
      piece.classList.toggle("highlighted", piece.dataset.chains.split(" ").includes(chain));
    }
  }

  for (const button of buttons) {
    button.addEventListener("click", () => {
      highlight(button.getAttribute("aria-pressed") === "true" ? "" : button.dataset.chain);
    });
  }
  text.addEventListener("click", (event) => {
    const piece = event.target.closest("[data-chains]");
    highlight(piece ? piece.dataset.chains.split(" ").at(-1) : "");
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") highlight(""); });
})();
