// What every page has: the switch between light, dark and the system's choice.
const THEMES = ["auto", "light", "dark"];
const WHEN_DARK = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };
const button = document.querySelector("[data-theme-switch]");

function show(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const source of document.querySelectorAll("[data-dark]")) source.media = WHEN_DARK[theme];
  if (button) button.textContent = `Theme: ${theme}`;
}

function kept() {
  try { return localStorage.getItem("theme") || "auto"; } catch { return "auto"; }
}

show(kept());
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(kept()) + 1) % THEMES.length];
    try { localStorage.setItem("theme", next); } catch { /* a browser that keeps nothing */ }
    show(next);
  });
}
