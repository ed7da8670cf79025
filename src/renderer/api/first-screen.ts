import type { FirstScreen } from '#shared/host-api/index.ts';

/** What the host passed with the page for its first frame; null if there is nothing. */
export function takeFirstScreen(): FirstScreen | null {
  // Tests of stores run without a document.
  const element = globalThis.document?.getElementById('first-screen');
  element?.remove();
  // The host has checked it.
  return element ? (JSON.parse(element.textContent) as FirstScreen) : null;
}
