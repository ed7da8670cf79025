import type { ServerResponse, IncomingMessage } from 'node:http';
import { browserPageHeaders, type Markup } from '#core/platform/browser-page.ts';
import { readBody } from '#core/platform/loopback/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { pageStyle } from './layout.ts';

/** One page, ready to be sent. */
interface Page {
  status: number;
  markup: Markup;
  /** The origin of a client's redirect, which a form of this page may lead to besides this service. */
  leadsTo?: string | null;
  headers?: Record<string, string>;
}

/** Sends a page. */
export function sendPage(response: ServerResponse, { status, markup, leadsTo, headers = {} }: Page): void {
  response.writeHead(status, { ...headers, ...pageHeaders(leadsTo ?? null) });
  response.end(markup.text);
}

/**
 * The headers of a page that runs no script, loads nothing, cannot be framed and is never cached. Chromium applies
 * `form-action` also to the redirect that follows a post, so the client's origin is named there. There is no opener
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

/** More than any form of these pages can hold. */
const maxFormBytes = 8 * 1024;

/** A form as it was posted: each field once, the repeatable one as often as it likes. */
export interface PostedForm {
  /** The value of a field; empty when it was not posted. */
  value(name: string): string;
  /** Every value of the repeatable field. */
  values(name: string): string[];
}

/**
 * Reads a posted form that may have these fields and no others. Fails with `unsupported_media_type`, `payload_too_large`, or
 * `bad_request` for a field that is unknown or doubled.
 */
export async function readForm(
  request: IncomingMessage,
  { once, repeatable = [] }: { once: readonly string[]; repeatable?: readonly string[] },
): Promise<PostedForm> {
  const [type] = (request.headers['content-type'] ?? '').split(';', 1);
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new AppError('unsupported_media_type');
  }
  const form = new URLSearchParams((await readBody(request, maxFormBytes)).toString());
  for (const name of new Set(form.keys())) {
    const isDoubled = once.includes(name) && form.getAll(name).length > 1;
    if (isDoubled || ![...once, ...repeatable].includes(name)) throw new AppError('bad_request');
  }
  return { value: (name) => form.get(name) ?? '', values: (name) => form.getAll(name) };
}
