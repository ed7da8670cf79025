/**
 * Opens the confirmation in its own window, on its own origin. One window by name: a second review reuses it.
 * The theme travels in the fragment, because that origin cannot read this one's settings.
 * False when the browser blocked it; then the person needs a link to press.
 */
export function openConfirmWindow(address: string): boolean {
  return window.open(address, 'countersign-confirm', 'popup,width=760,height=680') !== null;
}

/** The address of a confirmation with the theme that this page has now. */
export function withTheme(address: string): string {
  const theme = document.documentElement.dataset['theme'];
  return theme === undefined ? address : `${address}&theme=${theme}`;
}
