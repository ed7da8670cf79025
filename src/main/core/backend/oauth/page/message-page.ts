import type { Tenant } from '../../tenants.ts';
import { html } from '#core/platform/html.ts';
import type { Markup } from '#core/platform/html.ts';
import { layout } from './layout.ts';

/** Says plainly what happened and what to do; `again` is where the person can go on. */
export function messagePage({
  tenant,
  title,
  next,
  again,
  word,
}: {
  tenant: Tenant;
  title: string;
  next: string;
  again?: { path: string; label: string };
  /** What programs call it, for whoever looks for help. */
  word?: string;
}): Markup {
  const link = again === undefined ? null : html`<p><a href="${again.path}">${again.label}</a></p>`;
  const card = html`<div class="lead">
    <h1>${title}</h1>
    <p>${next}</p>
    ${link}
  </div>`;
  return layout({ tenant, title, card, ...(word === undefined ? {} : { footer: html`${word}` }) });
}
