import type { Tenant } from '../../tenants/index.ts';
import { html } from './html.ts';
import type { Markup } from './html.ts';
import { styleElement } from './style.ts';

const seal = html`<svg viewBox="0 0 512 512" aria-hidden="true">
  <path
    fill="#2547a8"
    d="M256.0 34.0A71.2 71.2 0 0 1 367.0 63.7A71.2 71.2 0 0 1 448.3 145.0A71.2 71.2 0 0 1 478.0 256.0A71.2 71.2 0 0 1 448.3 367.0A71.2 71.2 0 0 1 367.0 448.3A71.2 71.2 0 0 1 256.0 478.0A71.2 71.2 0 0 1 145.0 448.3A71.2 71.2 0 0 1 63.7 367.0A71.2 71.2 0 0 1 34.0 256.0A71.2 71.2 0 0 1 63.7 145.0A71.2 71.2 0 0 1 145.0 63.7A71.2 71.2 0 0 1 256.0 34.0Z"
  />
  <g fill="none" stroke="#fff" stroke-linecap="round" stroke-linejoin="round" stroke-width="46">
    <path d="M349.6 375.8A152 152 0 1 1 327.4 121.8" />
    <path d="M202 254l58 60L410 146" />
  </g>
</svg>`;

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
          <b>${seal}Countersign service</b><span class="profile">Demo · ${tenantName(tenant)}</span>
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
