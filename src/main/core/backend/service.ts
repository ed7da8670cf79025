import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { BackendStore } from '#core/store/backend/index.ts';
import type { CampaignContext, CampaignType, Settings } from '#shared/contract/index.ts';

export interface BackendService {
  store: BackendStore;
  tenant: Tenant;
  /** The tenant's types and settings; they do not change while it runs. */
  context: CampaignContext;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

export type TrafficFormat = 'push' | 'popunder' | 'native' | 'display' | 'contextual';

export interface TenantType {
  code: number;
  type: CampaignType;
  format: TrafficFormat;
  /** Relative frequency of its use. */
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

const northwind: Tenant = {
  id: 'northwind',
  types: [
    {
      code: 3,
      type: { name: 'Push', pricing: 'CPC', minBid: 0.005, maxBid: 2.5 },
      format: 'push',
      weight: 34,
      usualBids: [0.018, 0.24],
    },
    {
      code: 5,
      type: { name: 'In-Page Push', pricing: 'CPC', minBid: 0.003, maxBid: 2 },
      format: 'push',
      weight: 10,
      usualBids: [0.012, 0.15],
    },
    {
      code: 7,
      type: { name: 'Contextual', pricing: 'CPC', minBid: 0.01, maxBid: 5 },
      format: 'contextual',
      weight: 12,
      usualBids: [0.08, 0.95],
    },
    {
      code: 11,
      type: { name: 'Popunder', pricing: 'CPV', minBid: 0.0005, maxBid: 0.25 },
      format: 'popunder',
      weight: 18,
      usualBids: [0.001, 0.018],
    },
    {
      code: 12,
      type: { name: 'Popunder Premium', pricing: 'CPM', minBid: 0.25, maxBid: 25 },
      format: 'popunder',
      weight: 8,
      usualBids: [0.9, 6.5],
    },
    {
      code: 15,
      type: { name: 'Native', pricing: 'CPC', minBid: 0.008, maxBid: 3 },
      format: 'native',
      weight: 10,
      usualBids: [0.025, 0.38],
    },
    {
      code: 18,
      type: { name: 'Display', pricing: 'CPM', minBid: 0.05, maxBid: 15 },
      format: 'display',
      weight: 8,
      usualBids: [0.2, 3.4],
    },
  ],
  settings: {
    enable_bidcontrol: true,
    enable_freq_cap: true,
    enable_traffic_speed: true,
    edit_clickurl: true,
    min_budget: 10,
    postbackurl: 'https://postback.northwind.example/conversion?click_id={click_id}&payout={payout}',
  },
};

const meridian: Tenant = {
  id: 'meridian',
  types: [
    {
      code: 1,
      type: { name: 'Push Classic', pricing: 'CPC', minBid: 0.02, maxBid: 1.2 },
      format: 'push',
      weight: 30,
      usualBids: [0.03, 0.35],
    },
    {
      code: 2,
      type: { name: 'Site Popunder', pricing: 'CPM', minBid: 0.5, maxBid: 12 },
      format: 'popunder',
      weight: 20,
      usualBids: [0.8, 5],
    },
    {
      code: 4,
      type: { name: 'Banner', pricing: 'CPM', minBid: 0.1, maxBid: 8 },
      format: 'display',
      weight: 25,
      usualBids: [0.3, 2.6],
    },
    {
      code: 7,
      type: { name: 'Contextual Search', pricing: 'CPC', minBid: 0.05, maxBid: 3 },
      format: 'contextual',
      weight: 25,
      usualBids: [0.12, 1.1],
    },
  ],
  settings: {
    enable_bidcontrol: false,
    enable_freq_cap: false,
    enable_traffic_speed: false,
    edit_clickurl: false,
    min_budget: 25,
    postbackurl: 'https://track.meridian.example/pb/{click_id}',
  },
};

export const tenants: Readonly<Record<TenantId, Tenant>> = { northwind, meridian };
