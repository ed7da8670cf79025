import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { BackendStore } from '#core/store/backend/index.ts';
import type { CampaignContext, CampaignType, Settings } from '#shared/contract/index.ts';

export interface BackendService {
  store: BackendStore;
  tenant: Tenant;
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
  weight: number;
  /** Range of realistic bids; within minBid and maxBid. */
  usualBids: readonly [number, number];
}

/** Settings that differ between tenants (contract §1). */
export interface Tenant {
  id: TenantId;
  types: readonly TenantType[];
  settings: Settings;
}

export type TenantId = 'northwind' | 'meridian';

type TypeRow = readonly [
  code: number,
  name: string,
  pricing: CampaignType['pricing'],
  minBid: number,
  maxBid: number,
  format: TrafficFormat,
  weight: number,
  usualBids: readonly [number, number],
];

function typesOf(rows: readonly TypeRow[]): TenantType[] {
  return rows.map(([code, name, pricing, minBid, maxBid, format, weight, usualBids]) => {
    return { code, type: { name, pricing, minBid, maxBid }, format, weight, usualBids };
  });
}

const northwind: Tenant = {
  id: 'northwind',
  types: typesOf([
    [3, 'Push', 'CPC', 0.005, 2.5, 'push', 34, [0.018, 0.24]],
    [5, 'In-Page Push', 'CPC', 0.003, 2, 'push', 10, [0.012, 0.15]],
    [7, 'Contextual', 'CPC', 0.01, 5, 'contextual', 12, [0.08, 0.95]],
    [11, 'Popunder', 'CPV', 0.0005, 0.25, 'popunder', 18, [0.001, 0.018]],
    [12, 'Popunder Premium', 'CPM', 0.25, 25, 'popunder', 8, [0.9, 6.5]],
    [15, 'Native', 'CPC', 0.008, 3, 'native', 10, [0.025, 0.38]],
    [18, 'Display', 'CPM', 0.05, 15, 'display', 8, [0.2, 3.4]],
  ]),
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
  types: typesOf([
    [1, 'Push Classic', 'CPC', 0.02, 1.2, 'push', 30, [0.03, 0.35]],
    [2, 'Site Popunder', 'CPM', 0.5, 12, 'popunder', 20, [0.8, 5]],
    [4, 'Banner', 'CPM', 0.1, 8, 'display', 25, [0.3, 2.6]],
    [7, 'Contextual Search', 'CPC', 0.05, 3, 'contextual', 25, [0.12, 1.1]],
  ]),
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
