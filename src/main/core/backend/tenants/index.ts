import { meridian } from './meridian.ts';
import { northwind } from './northwind.ts';
import type { Tenant, TenantId } from './tenant.ts';

/** The tenants that the embedded service can be. */
export const tenants: Readonly<Record<TenantId, Tenant>> = { northwind, meridian };

export type { Tenant, TenantId, TenantType, TrafficFormat } from './tenant.ts';
