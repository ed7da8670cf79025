import { html } from '#core/platform/html.ts';
import type { Markup } from '#core/platform/html.ts';
import { sealPicture } from '#core/platform/seal-picture.ts';
import type { AuthorizationRequest } from '#core/oauth-server/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import type { Tenant } from '../tenants.ts';
import { styleElement } from './style.ts';

/** A whole page: whose service it is, one card, and a word below it. */
export function layout({
  tenant,
  title,
  card,
  footer,
}: {
  tenant: Tenant;
  title: string;
  card: Markup;
  footer?: Markup;
}): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} – Countersign service</title>
        ${styleElement}
      </head>
      <body>
        <header>
          <b>${sealPicture}Countersign service</b><span class="profile">Demo · ${tenantName(tenant)}</span>
        </header>
        <main>${card}</main>
        ${footer === undefined ? null : html`<footer>${footer}</footer>`}
      </body>
    </html> `;
}

/** `Northwind`: a tenant's id as a name. */
function tenantName({ id }: Tenant): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}

/** The client's own name for itself, as a quotation; anybody may register any name. */
export function clientName({ clientName: name }: AuthorizationRequest): Markup {
  if (name === null || name.trim() === '') return html`A client that gave no name`;
  return html`${quoted(name)}`;
}

/** Where the answer goes, as a person should know it. */
interface RedirectPlace {
  /** Host and port, in the form that cannot be mistaken (`xn--…`). */
  host: string;
  /** Its origin as a source of a content policy; null where a policy cannot name it. */
  policySource: string | null;
  /** What this host means. */
  meaning: string;
  /** The whole address, inert. */
  address: string;
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Takes a registered redirect address apart; the authorization server has checked that it is one. */
export function redirectPlace(redirectUri: string): RedirectPlace {
  const { host, hostname, protocol, origin } = new URL(redirectUri);
  const isHere = loopbackHosts.has(hostname);
  return {
    host,
    // A policy has no words for an IPv6 address (CSP 3 §2.3.1), so there it allows the scheme.
    policySource: hostname.startsWith('[') ? protocol : origin,
    meaning: isHere ? 'A program on this computer.' : 'A website. Go on only if you know it.',
    address: inertText(redirectUri),
  };
}
