import type { Tenant } from '../../tenants.ts';
import { html } from '#core/platform/html.ts';
import type { Markup } from '#core/platform/html.ts';
import { sealPicture } from '#core/platform/seal-picture.ts';
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
