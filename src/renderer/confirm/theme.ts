const themeKey = 'countersign.theme';

/**
 * Light or dark: as the app's page asks for in the address (`#ticket=…&theme=dark`, kept for reloads), else as the
 * system says. This page has its own origin and cannot read the app's settings.
 */
export function applyTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const chosen = sessionStorage.getItem(themeKey) ?? (dark.matches ? 'dark' : 'light');
    document.documentElement.dataset['theme'] = chosen;
  };
  const follow = (): void => {
    const asked = new URLSearchParams(location.hash.slice(1)).get('theme');
    if (asked === 'light' || asked === 'dark') sessionStorage.setItem(themeKey, asked);
    apply();
  };
  dark.addEventListener('change', apply);
  // A window that is reused gets a new address, and with it the theme of now.
  window.addEventListener('hashchange', follow);
  follow();
}
