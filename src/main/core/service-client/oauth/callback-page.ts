import type { ServerResponse } from 'node:http';
import { callbackStyle, callbackStyleSource } from './callback-style.ts';

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

const seal = `<svg viewBox="0 0 512 512" aria-hidden="true">
  <path fill="#2547a8" d="M256.0 34.0A71.2 71.2 0 0 1 367.0 63.7A71.2 71.2 0 0 1 448.3 145.0A71.2 71.2 0 0 1 478.0 256.0A71.2 71.2 0 0 1 448.3 367.0A71.2 71.2 0 0 1 367.0 448.3A71.2 71.2 0 0 1 256.0 478.0A71.2 71.2 0 0 1 145.0 448.3A71.2 71.2 0 0 1 63.7 367.0A71.2 71.2 0 0 1 34.0 256.0A71.2 71.2 0 0 1 63.7 145.0A71.2 71.2 0 0 1 145.0 63.7A71.2 71.2 0 0 1 256.0 34.0Z"/>
  <g fill="none" stroke="#fff" stroke-linecap="round" stroke-linejoin="round" stroke-width="46">
    <path d="M349.6 375.8A152 152 0 1 1 327.4 121.8"/><path d="M202 254l58 60L410 146"/>
  </g>
</svg>`;

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
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src ${callbackStyleSource}; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      connection: 'close',
    });
    response.end(
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Countersign</title>
${callbackStyle}
</head>
<body>
<header>${seal}Countersign</header>
<main><h1>${title}</h1><p>${next}</p></main>
</body>
</html>
`,
      resolve,
    );
  });
}
