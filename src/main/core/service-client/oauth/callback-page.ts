import type { ServerResponse } from 'node:http';
import { browserPage, browserPageHeaders, createPageStyle } from '#core/platform/browser-page.ts';
import { html } from '#core/platform/html.ts';

/** How a sign-in ended, for the browser. */
export type CallbackPage = 'signed-in' | 'refused' | 'failed' | 'expired';

/** Fixed words alone: nothing that the service or the address says is repeated on the page. */
const pages: Record<CallbackPage, { status: number; title: string; next: string }> = {
  'signed-in': {
    status: 200,
    title: 'You are signed in',
    next: 'You can close this page and go back to Countersign.',
  },
  refused: {
    status: 403,
    title: 'The sign-in was not granted',
    next: 'You can close this page. Countersign tells what the service said.',
  },
  failed: {
    status: 400,
    title: 'The sign-in did not work',
    next: 'You can close this page. Countersign tells what happened and what to do.',
  },
  expired: {
    status: 400,
    title: 'This page has expired',
    next: 'You can close this page. Start the sign-in again in Countersign, if you still need it.',
  },
};

const style = createPageStyle(`
main { padding: 20px 24px; }
p { margin: 4px 0 0; color: var(--soft); }
`);

/**
 * Sends the page and ends the connection; resolves when it is sent, or when nobody is there to read it. The page runs no
 * script, loads nothing, cannot be framed, and sends its address, with the code in it, nowhere.
 */
export function sendCallbackPage(response: ServerResponse, page: CallbackPage): Promise<void> {
  const { status, title, next } = pages[page];
  return new Promise((resolve) => {
    response.once('close', resolve);
    if (response.destroyed) resolve();
    response.writeHead(status, {
      ...browserPageHeaders(style),
      'cross-origin-opener-policy': 'same-origin',
      connection: 'close',
    });
    const card = html`<h1>${title}</h1>
      <p>${next}</p>`;
    response.end(browserPage({ style, site: 'Countersign', title, card }).text, resolve);
  });
}
