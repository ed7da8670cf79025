import type { ServerResponse } from 'node:http';
import type { Markup } from '#core/platform/html.ts';
import { browserPageHeaders } from '#core/platform/browser-page.ts';
import { pageStyle } from './style.ts';

/** One page, ready to be sent. */
export interface Page {
  status: number;
  markup: Markup;
  /** Where a form of this page may lead in the end, besides this service: the origin of a client's redirect. */
  leadsTo?: string | null;
  headers?: Record<string, string>;
}

/** Sends a page. */
export function sendPage(response: ServerResponse, { status, markup, leadsTo, headers = {} }: Page): void {
  response.writeHead(status, { ...headers, ...pageHeaders(leadsTo ?? null) });
  response.end(markup.text);
}

/**
 * The headers of a page that runs no script, loads nothing, cannot be framed and is kept by nobody. Chromium holds
 * `form-action` also against the redirect that follows a post, so the client's origin is named there. There is no opener
 * policy: it would cut a client on the web from the window that it opened, for good.
 */
export function pageHeaders(leadsTo: string | null): Record<string, string> {
  const targets = leadsTo === null ? "'self'" : `'self' ${leadsTo}`;
  return browserPageHeaders(pageStyle, {
    formTargets: targets,
    // Under `no-referrer` Chromium posts our own forms with `Origin: null`, which the listener refuses. Nothing leaves to
    // another origin under this one either.
    referrerPolicy: 'same-origin',
  });
}
