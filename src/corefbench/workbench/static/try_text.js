// A tried text: a chain lights up when it is chosen in the list or in the text.
const words = document.querySelector("[data-words]");
const buttons = [...document.querySelectorAll("[data-chain]")];

function light(chain) {
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.chain === chain));
  for (const part of words.querySelectorAll("[data-chains]")) {
    part.classList.toggle("highlighted", part.dataset.chains.split(" ").includes(chain));
  }
}

for (const button of buttons) {
  button.addEventListener("click", () => {
    light(button.getAttribute("aria-pressed") === "true" ? "" : button.dataset.chain);
  });
}
if (words) {
  words.addEventListener("click", (event) => {
    const part = event.target.closest("[data-chains]");
    light(part ? part.dataset.chains.split(" ").at(-1) : "");
  });
}
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && words) light(""); });
