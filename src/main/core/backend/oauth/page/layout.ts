import type { Tenant } from '../../tenants/index.ts';
import { html } from '#core/platform/html.ts';
import type { Markup } from '#core/platform/html.ts';
import { browserPage } from '#core/platform/browser-page.ts';
import { sealPicture } from '#core/platform/seal-picture.ts';
import { pageStyle } from './style.ts';

/** A whole page of the service: its name and tenant, one card, and a line below it. */
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

/** `Northwind`: a tenant's id as a name. */
function tenantName({ id }: Tenant): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}
