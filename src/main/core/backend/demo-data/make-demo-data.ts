import type { BackendStore } from '#core/store/backend/index.ts';
import { recordOf } from '../member/campaign-rules.ts';
import type { Tenant, TrafficFormat, TenantType } from '../service.ts';
import { demoAccounts } from './credentials.ts';
import { publishDemoPictures, type DemoPictures, offers, type Offer } from './offers.ts';
import { createRandom, type Random } from '#shared/lib/random.ts';
import { kindOf } from '#shared/campaign/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  bidControls,
  deviceTargets,
  filters,
  keywords,
  markets,
  targeting,
  type DeviceTarget,
  type Market,
} from './targeting.ts';

export const defaultCampaigns = 400;

const firstCid: Readonly<Record<Tenant['id'], number>> = { northwind: 104_201, meridian: 58_310 };
const others = { neighbour: 40, withoutBalance: 12, withoutMenu: 6, publisher: 0 } as const;

/** Fills an empty store. The tenant's name is the seed, so each tenant always gets the same data. */
export function makeDemoData(
  store: BackendStore,
  { tenant, nowMs, campaigns }: { tenant: Tenant; nowMs: number; campaigns: number },
): void {
  const context = {
    types: Object.fromEntries(tenant.types.map(({ code, type }) => [String(code), type])),
    settings: tenant.settings,
  };
  const accounts = demoAccounts(tenant.id);
  const random = createRandom(tenant.id);
  let cid = firstCid[tenant.id];
  store.transaction(() => {
    store.write.setTenant(context);
    for (const member of Object.values(accounts)) store.write.addMember(member);
    const pictures = publishDemoPictures(store, accounts.buyer.uid);
    for (const [part, member] of Object.entries(accounts)) {
      const count = part === 'buyer' ? campaigns : others[part as keyof typeof others];
      for (let made = 0; made < count; made += 1) {
        const payload = demoCampaign({ random, tenant, pictures, cid, uid: member.uid, nowMs });
        store.write.addCampaign(recordOf(payload, context));
        cid += random.integer(1, 4);
      }
    }
  });
}

const statusShares: readonly { status: StatusCode; weight: number }[] = [
  { status: 0, weight: 5 },
  { status: 1, weight: 40 },
  { status: 2, weight: 10 },
  { status: 3, weight: 37 },
  { status: 4, weight: 8 },
];

/** Makes a campaign with every key of contract §2.4 and the service's own filters. */
export function demoCampaign(options: {
  random: Random;
  tenant: Tenant;
  pictures: DemoPictures;
  cid: number;
  uid: number;
  nowMs: number;
}): JsonObject {
  const { random, tenant, pictures, cid, uid, nowMs } = options;
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
    ...creative({ random, format, offer, pictures }),
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
    bidControl: hasBidControls ? bidControls(random, { payout, ...tenantType.type }) : [],
  };
}

function creative({
  random,
  format,
  offer,
  pictures,
}: {
  random: Random;
  format: TrafficFormat;
  offer: Offer;
  pictures: DemoPictures;
}): JsonObject {
  const hasText = format === 'push' || format === 'contextual' || format === 'native';
  const hasImages = format === 'push' || format === 'native';
  return {
    title: hasText ? random.pick(offer.titles) : '',
    description: hasText ? random.pick(offer.descriptions) : '',
    icon: hasImages ? random.pick(pictures(offer, 'icon')) : null,
    image: hasImages ? random.pick(pictures(offer, 'image')) : null,
  };
}

function clickUrl(random: Random, offer: Offer): string {
  const path = random.pick(['/lp/a', '/lp/b', '/start', '/offer/2', '/go']);
  return `https://go.${offer.domain}${path}?cid={click_id}&zone={zone_id}&cost={cost}&geo={country}`;
}

const dailyBudgets = [25, 30, 40, 50, 50, 75, 100, 100, 120, 150, 200, 250, 300, 500, 750];

function bid(random: Random, { type, usualBids }: TenantType, price: number): number {
  const [min, max] = usualBids;
  const wanted = (min + (max - min) * random.fraction() ** 2) * price;
  const decimals = wanted < 0.02 ? 4 : wanted < 1 ? 3 : 2;
  const rounded = Number(wanted.toFixed(decimals));
  return Math.min(Math.max(rounded, type.minBid), type.maxBid);
}

function budgets(random: Random, minBudget: number): JsonObject {
  const daily = Math.max(random.pick(dailyBudgets), minBudget);
  const total = random.chance(0.35) ? 0 : daily * random.pick([7, 10, 14, 20, 30]);
  return { enable_budget: random.chance(0.89) ? 1 : 0, d_revenue: daily, t_revenue: total };
}

const dayMs = 86_400_000;

function flight(random: Random, status: StatusCode, nowMs: number): JsonObject {
  const isScheduled = status === 4;
  const isOn = isScheduled || random.chance(0.45);
  if (!isOn) return { enable_time: 0, create: '', create_time: '', expire: '', expire_time: '' };
  const startsInDays = isScheduled ? random.integer(1, 30) : -random.integer(2, 120);
  const lengthDays = random.integer(14, 60);
  const hasEnded = status === 2 && startsInDays + lengthDays < 0;
  const endsInDays = isScheduled || hasEnded ? startsInDays + lengthDays : random.integer(5, 75);
  const hasEnd = random.chance(0.8);
  return {
    enable_time: 1,
    create: dateIn(nowMs, startsInDays),
    create_time: random.pick(['00:00', '00:00', '06:00', '09:00']),
    expire: hasEnd ? dateIn(nowMs, endsInDays) : '',
    expire_time: hasEnd ? random.pick(['23:59', '23:59', '18:00']) : '',
  };
}

function dateIn(nowMs: number, days: number): string {
  return new Date(nowMs + days * dayMs).toISOString().slice(0, 10);
}

const hoursPerDay = 24;
const weekHours = Array.from({ length: 7 * hoursPerDay }, (_, index) => ({
  day: Math.floor(index / hoursPerDay),
  hour: index % hoursPerDay,
}));

type SchedulePattern = (at: { day: number; hour: number }) => boolean;

const habits: readonly SchedulePattern[] = [
  // Office hours.
  ({ day, hour }) => day < 5 && hour >= 9 && hour < 18,
  // Evenings, longer at the weekend.
  ({ day, hour }) => hour >= (day < 5 ? 18 : 10) && hour < 23,
  // Weekends only.
  ({ day }) => day >= 5,
  // Nights.
  ({ hour }) => hour >= 22 || hour < 6,
  // Not in the small hours.
  ({ hour }) => hour >= 6,
  // Lunch and the way home.
  ({ day, hour }) => day < 5 && ((hour >= 11 && hour < 14) || (hour >= 17 && hour < 20)),
];

/** Returns 168 values: index = day × 24 + hour, Monday first. */
function weeklySchedule(random: Random, isOn: boolean): number[] {
  if (!isOn) return weekHours.map(() => 1);
  const habit = random.pick(habits);
  return weekHours.map((at) => (habit(at) ? 1 : 0));
}

interface NameParts {
  random: Random;
  market: Market;
  offer: Offer;
  target: DeviceTarget;
  format: TrafficFormat;
}

const formatNames: Record<TrafficFormat, readonly string[]> = {
  push: ['Push'],
  popunder: ['Pop', 'Popunder'],
  native: ['Native'],
  display: ['Display', 'Banner 300×250', 'Banner 728×90'],
  contextual: ['Contextual', 'Search'],
};
const notes = [
  'summer',
  'autumn',
  'Black Friday',
  'payday',
  'weekend',
  'whitelist',
  'scale',
  'new LP',
  'night',
  'CBO test',
];

function campaignName(parts: NameParts): string {
  const { random, market, offer, target, format } = parts;
  const word = random.pick(formatNames[format]);
  const version = `v${random.integer(1, 9)}`;
  const patterns: readonly (() => string)[] = [
    () => `${market.label} · ${word} · ${offer.brand} – ${target.label} · ${version}`,
    () => `${market.label} · ${word} · ${offer.vertical} – ${target.label} · ${version}`,
    () => `${market.label} | ${word} | ${offer.vertical} | ${target.label}`,
    () => `${market.label} ${word.toLowerCase()} – ${random.pick(notes)}`,
    () => `${offer.brand} ${market.label} – ${random.pick(notes)} (${word})`,
    () => `${offer.brand} – retargeting ${random.pick([7, 14, 30])}d · ${market.label} · ${target.label}`,
    () => `[TEST] ${offer.brand} ${version} ${market.label} ${target.label}`,
    () => `${market.label} · ${word} · ${offer.brand} – ${target.label} · ${version} copy`,
  ];
  const habits = [30, 18, 18, 8, 12, 6, 5, 3];
  const pattern = random.weighted(patterns, (member) => habits[patterns.indexOf(member)] ?? 0);
  return pattern();
}
