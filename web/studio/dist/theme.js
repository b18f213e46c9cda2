// Before the first paint: the theme that the person chose, if any.
try {
  const chosen = localStorage.getItem("oxo.theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch {
  // Storage can be forbidden; the system's theme is shown then.
}
