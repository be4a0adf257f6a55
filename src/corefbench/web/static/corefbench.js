// On every page: the switch between light, dark and the system's theme.
"use strict";

(() => {
  const THEMES = ["auto", "light", "dark"];
  const DARK_MEDIA = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };
  const button = document.querySelector("[data-theme-switch]");

  function applyTheme(theme) {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    for (const source of document.querySelectorAll("[data-dark]")) source.media = DARK_MEDIA[theme];
    if (button) button.textContent = `Theme: ${theme}`;
  }

  function storedTheme() {
    try { return localStorage.getItem("theme") || "auto"; } catch { return "auto"; }
  }

  applyTheme(storedTheme());
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(storedTheme()) + 1) % THEMES.length];
    try { localStorage.setItem("theme", next); } catch { /* storage is blocked */ }
    applyTheme(next);
  });
})();
