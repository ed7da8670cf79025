import { kindOf } from '#shared/campaign/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { Tenant } from '../tenants/index.ts';
import { clickUrl, creative } from './creative.ts';
import { deviceTargets } from './devices.ts';
import { bidControls, filters, keywords } from './filters.ts';
import { flight } from './flight.ts';
import { markets } from './markets.ts';
import { bid, budgets } from './money.ts';
import { campaignName } from './names.ts';
import { offers } from './offers.ts';
import type { Random } from './random.ts';
import { weeklySchedule } from './schedule.ts';
import { targeting } from './targeting.ts';

/** How often each status is met in a living account. */
const statusShares: readonly { status: StatusCode; weight: number }[] = [
  { status: 0, weight: 5 },
  { status: 1, weight: 40 },
  { status: 2, weight: 10 },
  { status: 3, weight: 37 },
  { status: 4, weight: 8 },
];

/** A whole campaign with every key of contract §2.4 and the service's own filters; valid against itself. */
export function demoCampaign(options: {
  random: Random;
  tenant: Tenant;
  cid: number;
  uid: number;
  nowMs: number;
}): JsonObject {
  const { random, tenant, cid, uid, nowMs } = options;
  const { settings } = tenant;
  const tenantType = random.weighted(tenant.types, ({ weight }) => weight);
  const { pricing, contextual } = kindOf(tenantType.type);
  const { format } = tenantType;
  const market = random.pick(markets);
  const offer = random.pick(offers);
  const target = random.pick(deviceTargets);
  const { status } = random.weighted(statusShares, ({ weight }) => weight);
  const payout = bid(random, tenantType, market.price);
  const hasSchedule = random.chance(0.3);
  const hasCap = settings.enable_freq_cap && random.chance(0.5);
  const hasPacing = settings.enable_traffic_speed && random.chance(0.25);
  const hasBidControls = settings.enable_bidcontrol && pricing !== 'CPM';
  return {
    cid,
    uid,
    name: campaignName({ random, market, offer, target, format }),
    type: tenantType.code,
    status,
    payout,
    clickurl: pricing === 'CPM' ? '' : clickUrl(random, offer),
    website: pricing === 'CPM' ? `https://www.${offer.domain}/` : '',
    ...creative(random, format, offer),
    ...budgets(random, settings.min_budget),
    ...flight(random, status, nowMs),
    enable_shedule: hasSchedule ? 1 : 0,
    shedule: weeklySchedule(random, hasSchedule),
    shedule_timezone: hasSchedule ? market.timezone : 'UTC',
    freq_cap: hasCap ? 1 : 0,
    freq_counter: hasCap ? random.pick([1, 2, 3, 3, 5]) : 0,
    traffic_speed: hasPacing ? 1 : 0,
    traffic_speed_counter: hasPacing ? random.pick([1_000, 2_500, 5_000, 10_000]) : 0,
    ...targeting(random, { tenantType, market, target }),
    ...keywords(random, offer, contextual),
    ...filters(random, offer),
    bidControl: hasBidControls ? bidControls(random, payout) : [],
  };
}
