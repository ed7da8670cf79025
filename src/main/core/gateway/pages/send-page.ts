import type { ServerResponse } from 'node:http';
import type { Markup } from '#core/platform/html.ts';
import { styleSource } from './style.ts';

/** How often a page looks again, in seconds; it has no script that could. */
const refreshSeconds = 2;

/** A page that runs no script, loads nothing, sends nothing, cannot be framed and is kept by nobody. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${styleSource}; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** Sends a page that asks again by itself, at the same address. */
export function sendWaitingPage(response: ServerResponse, page: Markup): void {
  response.writeHead(200, { ...pageHeaders, refresh: String(refreshSeconds) });
  response.end(page.text);
}
