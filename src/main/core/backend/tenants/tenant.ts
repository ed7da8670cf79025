import type { CampaignType, Settings } from '#shared/contract/index.ts';

/** The traffic that a type buys; decides which demo values make sense. */
export type TrafficFormat = 'push' | 'popunder' | 'native' | 'display' | 'contextual';

/** One type of a tenant, with what its demo campaigns look like. */
export interface TenantType {
  code: number;
  type: CampaignType;
  format: TrafficFormat;
  /** How often it is used, relative to the others. */
  weight: number;
  /** Bids as buyers make them, in the account's currency; within minBid and maxBid. */
  usualBids: readonly [number, number];
}

/** One customer of the service: its types and switches (contract §1, "differ between tenants"). */
export interface Tenant {
  id: TenantId;
  types: readonly TenantType[];
  settings: Settings;
}

export type TenantId = 'northwind' | 'meridian';
