import {
  browserPage,
  createPageStyle,
  html,
  type Markup,
  sealPicture,
  browserPageHeaders,
} from '#core/platform/browser-page.ts';
import type { AuthorizationRequest } from '#core/oauth-server/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import type { Tenant } from '../service.ts';
import type { ServerResponse, IncomingMessage } from 'node:http';
import { readBody } from '#core/platform/loopback/requests.ts';
import { AppError } from '#shared/errors/index.ts';

export function layout({
  tenant,
  ...page
}: {
  tenant: Tenant;
  title: string;
  card: Markup;
  footer?: Markup;
}): Markup {
  const header = html`<b>${sealPicture}Countersign service</b
    ><span class="profile">Demo · ${tenantName(tenant)}</span>`;
  return browserPage({ style: pageStyle, site: 'Countersign service', header, ...page });
}

function tenantName({ id }: Tenant): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}

/** Quotes the client's name, because any client may register any name. */
export function clientName({ clientName: name }: AuthorizationRequest): Markup {
  if (name === null || name.trim() === '') return html`A client that gave no name`;
  return html`${quoted(name)}`;
}

interface RedirectTarget {
  host: string;
  policySource: string | null;
  meaning: string;
  address: string;
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

export function describeRedirect(redirectUri: string): RedirectTarget {
  const { host, hostname, protocol, origin } = new URL(redirectUri);
  const isLoopback = loopbackHosts.has(hostname);
  return {
    host,
    // A policy cannot name an IPv6 address (CSP 3 §2.3.1), so the policy allows the whole scheme instead.
    policySource: hostname.startsWith('[') ? protocol : origin,
    meaning: isLoopback ? 'A program on this computer.' : 'A website. Continue only if you know it.',
    address: inertText(redirectUri),
  };
}

const pageStyle = createPageStyle(`
:root {
  --line-strong: #a5adb9; --ink-hover: #18317a; --ink-on: #ffffff; --ink-text: #1f3d94;
  --teal: #0e8478; --teal-text: #0a6a60; --amber-text: #7a4a00; --amber-soft: #fff6e0; --amber-line: #f0d9a0;
  --red-text: #a3142f; --red-soft: #fdeef0; --red-line: #f3c3cb;
  --mono: ui-monospace, 'JetBrains Mono', 'SF Mono', Menlo, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --line-strong: #5d6878; --ink-hover: #4f78e8; --ink-text: #a9c0ff;
    --teal: #2fb5a5; --teal-text: #5fd6c8; --amber-text: #f2c566; --amber-soft: #2a2214; --amber-line: #55431d;
    --red-text: #ff98a6; --red-soft: #311a20; --red-line: #62303a;
  }
}
html { border-top-color: var(--teal); }
body { font-variant-numeric: tabular-nums; }
header { justify-content: space-between; gap: 12px; font-weight: 400; }
header b { display: flex; align-items: center; gap: 8px; font-weight: 600; }
.profile { display: flex; align-items: center; gap: 8px; color: var(--teal-text); font-weight: 500; }
.profile::before { content: ''; width: 8px; height: 8px; border-radius: 2px; background: var(--teal); }
section, .lead, .fields { padding: 16px 24px; }
section { border-top: 1px solid var(--line); }
.lead { padding-top: 20px; }
h2 { margin: 0 0 4px; font-size: 12px; line-height: 20px; font-weight: 500; color: var(--soft); }
p { margin: 0; }
.lead p { margin-top: 4px; color: var(--soft); }
.lead b { color: var(--text); font-weight: 600; unicode-bidi: isolate; }
.notice { margin: 0 24px 16px; padding: 12px 16px; border: 1px solid var(--red-line); border-radius: 6px; background: var(--red-soft); color: var(--red-text); font-size: 13px; line-height: 20px; }
.notice.caution { border-color: var(--amber-line); background: var(--amber-soft); color: var(--amber-text); }
.host { font: 600 20px/28px var(--mono); letter-spacing: -0.01em; }
.detail { color: var(--soft); font-size: 13px; line-height: 20px; }
.detail code { font: 400 12px/20px var(--mono); display: block; }
.account { display: flex; flex-wrap: wrap; align-items: center; gap: 0 12px; padding-top: 8px; padding-bottom: 8px; }
.account h2 { width: 100%; margin: 4px 0 -4px; }
.account span { flex: 1; }
.account b { font-weight: 600; }
.scopes { display: grid; margin: 0 -8px; padding: 0; list-style: none; }
.scopes label, .scopes .always { display: grid; grid-template-columns: 20px 1fr; gap: 0 12px; padding: 6px 8px; border-radius: 6px; }
.scopes label:hover { background: var(--sunken); }
.scopes input, .scopes svg { grid-row: 1; width: 16px; height: 16px; margin: 4px 0 0 2px; accent-color: var(--ink); }
.scopes svg { color: var(--ink-text); }
.scopes b { font-weight: 500; }
.scopes small { grid-column: 2; color: var(--soft); font-size: 13px; line-height: 20px; }
.scopes code { font: 400 12px/24px var(--mono); color: var(--soft); float: right; margin-left: 12px; }
.fields { display: grid; gap: 16px; padding-top: 0; padding-bottom: 20px; }
.field { display: grid; gap: 4px; }
.field span { font-size: 13px; line-height: 20px; font-weight: 500; }
.field input {
  width: 100%; height: 40px; padding: 0 12px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--sunken);
  color: var(--text); font: inherit;
}
.actions {
  position: sticky; bottom: 0; display: flex; justify-content: flex-end; gap: 12px; padding: 16px 24px; border-top: 1px solid var(--line);
  border-radius: 0 0 6px 6px; background: var(--card);
}
button {
  min-height: 40px; padding: 0 20px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--card); color: var(--text);
  font: 500 15px/24px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; cursor: pointer;
}
button:hover { background: var(--sunken); }
button.go { border-color: var(--ink); background: var(--ink); color: var(--ink-on); }
button.go:hover { background: var(--ink-hover); }
button.quiet { min-height: 32px; padding: 0 8px; border: 0; background: none; color: var(--ink-text); font-size: 13px; line-height: 20px; white-space: nowrap; }
button.quiet:hover { background: var(--ink-soft); }
.last { order: 2; }
:focus-visible { outline: 2px solid var(--ink-text); outline-offset: 2px; }
a { color: var(--ink-text); }
@media (max-width: 560px) {
  body { padding: 16px 8px; }
  section, .lead, .fields { padding-left: 16px; padding-right: 16px; }
  .notice { margin-left: 16px; margin-right: 16px; }
  .actions { padding: 12px 16px; }
  .actions button { flex: 1; }
}
`);

interface Page {
  status: number;
  markup: Markup;
  leadsTo?: string | null;
  headers?: Record<string, string>;
}

export function sendPage(response: ServerResponse, { status, markup, leadsTo, headers = {} }: Page): void {
  response.writeHead(status, { ...headers, ...pageHeaders(leadsTo ?? null) });
  response.end(markup.text);
}

/**
 * Chromium applies `form-action` also to the redirect after a post, so the policy has to name the client's origin. There is no
 * opener policy, because that would separate a web client from its window.
 */
export function pageHeaders(leadsTo: string | null): Record<string, string> {
  const targets = leadsTo === null ? "'self'" : `'self' ${leadsTo}`;
  return browserPageHeaders(pageStyle, {
    formTargets: targets,
    // Under `no-referrer` Chromium posts forms with `Origin: null`, which the listener refuses.
    referrerPolicy: 'same-origin',
  });
}

const maxFormBytes = 8 * 1024;

export interface PostedForm {
  value(name: string): string;
  values(name: string): string[];
}

/** Fails with `unsupported_media_type`, `payload_too_large` or `bad_request`. */
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
    const isDuplicate = once.includes(name) && form.getAll(name).length > 1;
    if (isDuplicate || ![...once, ...repeatable].includes(name)) throw new AppError('bad_request');
  }
  return { value: (name) => form.get(name) ?? '', values: (name) => form.getAll(name) };
}
