import type { ServerResponse } from 'node:http';
import {
  browserPage,
  browserPageHeaders,
  createPageStyle,
  html,
  type Markup,
} from '#core/platform/browser-page.ts';
import { quoted } from '#shared/lib/inert-text.ts';

const style = createPageStyle(`
:root {
  --sans: 'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  --mono: 'JetBrains Mono', ui-monospace, 'SF Mono', Menlo, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) { :root { --ink: #a9c0ff; } }
body { min-height: calc(100vh - 2px); place-content: center; font-family: var(--sans); }
header, main, footer { width: min(520px, calc(100vw - 32px)); }
main { padding: 24px; }
h1, footer { text-wrap: pretty; }
p { margin: 8px 0 0; color: var(--soft); }
p b { color: var(--text); font-weight: 600; unicode-bidi: isolate; }
.words {
  margin: 20px 0; padding: 20px 16px; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); color: var(--ink);
  font: 600 28px/32px var(--mono); letter-spacing: -0.02em; text-align: center;
}
.waits { display: flex; align-items: center; gap: 8px; margin-top: 0; font-size: 13px; line-height: 20px; }
.waits::before { content: ''; flex: none; width: 8px; height: 8px; border-radius: 999px; background: var(--ink); }
@media (max-width: 480px) {
  body { padding: 16px; place-content: start center; }
  main { padding: 16px; }
  .words { font-size: 20px; line-height: 28px; }
}
`);

/** The headers of every page of the gateway. */
export const pageHeaders: Readonly<Record<string, string>> = browserPageHeaders(style);

/** Interval of the page reload, in seconds; the page has no script. */
const refreshSeconds = 2;

/** Sends a page that the browser loads again by itself, at the same address. */
export function sendWaitingPage(response: ServerResponse, { text }: Markup): void {
  response.writeHead(200, { ...pageHeaders, refresh: String(refreshSeconds) });
  response.end(text);
}

function page(parts: { title: string; card: Markup; footer: string }): Markup {
  return browserPage({ style, site: 'Countersign', ...parts });
}

/** The contents of the page that a browser shows while the user decides in the app's own window; it has no controls. */
export interface WaitingPage {
  /** The agent's own claim: foreign text. */
  name: string;
  words: string;
}

/** Shows the two words that the window repeats. Whose account it is about stands in the window only. */
export function waitingPage({ name, words }: WaitingPage): Markup {
  const card = html`<h1>Confirm in the Countersign window</h1>
    <p>
      A program that calls itself <b>${quoted(name)}</b> requests access. Compare these two words with those
      in the window. Allow it only if they match.
    </p>
    <div class="words">${words}</div>
    <p class="waits" role="status">Waiting for you. This page updates automatically.</p>`;
  return page({
    title: 'Waiting for you',
    card,
    footer: 'If you did not connect a program just now, deny it in the window and close this page.',
  });
}

/** A page that says what happened and what to do next. */
export function messagePage({ title, text }: { title: string; text: string }): Markup {
  const card = html`<h1>${title}</h1>
    <p>${text}</p>`;
  return page({ title, card, footer: 'Nothing can be decided on this page.' });
}
