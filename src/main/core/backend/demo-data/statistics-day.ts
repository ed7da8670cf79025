import type { SearchTraffic, XmlTraffic } from '#core/store/backend/index.ts';
import { weekday } from '#shared/campaign/index.ts';
import type { Random } from '#shared/lib/random.ts';
import type { TenantId } from '../service.ts';
import type { DemoAccounts } from './credentials.ts';

interface TrafficCell {
  geo: string;
  subid: string;
  requests: number;
  clickMicros: number;
}

export function xmlDay(random: Random, source: DemoSource, day: number): XmlTraffic[] {
  return trafficCells(random, source, day).map(({ geo, subid, requests, clickMicros }) => {
    const isBots = hasBots(source, subid, day);
    const clicks = portionOf(requests, randomBetween(random, 0.018, 0.03) * (isBots ? 6 : 1));
    const invalid = portionOf(
      clicks,
      isBots ? randomBetween(random, 0.93, 0.98) : randomBetween(random, 0.02, 0.06),
    );
    const valid = clicks - invalid;
    const netClicks =
      valid - portionOf(valid, isBots ? randomBetween(random, 0.6, 0.8) : randomBetween(random, 0.01, 0.04));
    return {
      geo,
      subid,
      grossRequests: requests,
      grossClicks: clicks,
      grossValid: valid,
      grossInvalid: invalid,
      grossRevenueMicros: BigInt(clicks * clickMicros),
      netRequests: requests - portionOf(requests, randomBetween(random, 0.03, 0.07)),
      netClicks,
      netRevenueMicros: BigInt(netClicks * clickMicros),
    };
  });
}

export function searchDay(random: Random, source: DemoSource, day: number): SearchTraffic[] {
  return trafficCells(random, source, day).map(({ geo, subid, requests, clickMicros }) => {
    const isBots = hasBots(source, subid, day);
    const monetized = portionOf(requests, randomBetween(random, 0.52, 0.81));
    const clicks = portionOf(monetized, randomBetween(random, 0.05, 0.11) * (isBots ? 6 : 1));
    const paid = isBots ? portionOf(clicks, randomBetween(random, 0.02, 0.05)) : clicks;
    return { geo, subid, total: requests, monetized, clicks, revenueMicros: BigInt(paid * clickMicros) };
  });
}

function trafficCells(random: Random, source: DemoSource, day: number): TrafficCell[] {
  const requests = source.volume * trafficLevel(source, day);
  return trafficGeos.flatMap(({ geo, share, price }) =>
    source.subids.flatMap((subid, at) => {
      const averageRequests = requests * share * (subidShares[at] ?? 0);
      const cellRequests = Math.round(
        averageRequests * trafficShare(source, geo, day) * randomBetween(random, 0.84, 1.16),
      );
      const clickMicros = Math.round(source.clickMicros * price * randomBetween(random, 0.9, 1.1));
      return random.chance(0.05) || cellRequests === 0
        ? []
        : [{ geo, subid, requests: cellRequests, clickMicros }];
    }),
  );
}

function randomBetween(random: Random, min: number, max: number): number {
  return min + (max - min) * random.fraction();
}

function portionOf(whole: number, share: number): number {
  return Math.min(whole, Math.floor(whole * share));
}

interface TrafficGeo {
  geo: string;
  share: number;
  price: number;
}

const trafficGeos: readonly TrafficGeo[] = [
  { geo: 'AU', share: 0.05, price: 1.5 },
  { geo: 'BR', share: 0.11, price: 0.5 },
  { geo: 'DE', share: 0.16, price: 1.4 },
  { geo: 'FR', share: 0.09, price: 1.2 },
  { geo: 'GB', share: 0.14, price: 1.5 },
  { geo: 'IN', share: 0.1, price: 0.3 },
  { geo: 'JP', share: 0.05, price: 1.3 },
  { geo: 'US', share: 0.3, price: 1.8 },
];

const subidShares: readonly number[] = [0.38, 0.24, 0.19, 0.12, 0.07];

const weekdayFactors: readonly number[] = [1, 1.03, 1.02, 0.99, 0.95, 0.74, 0.71];

const seasonDays = 220;

/** 1 is average. Depends only on source and day, so that past days never change. */
function trafficLevel({ id }: DemoSource, day: number): number {
  const season = Math.abs((((day + id * 29) % seasonDays) / seasonDays) * 2 - 1);
  return (weekdayFactors[weekday(day)] ?? 1) * (0.78 + 0.44 * season);
}

interface EventSchedule {
  everyDays: number;
  lastsDays: number;
}

/**
 * Schedules of simulated events. They depend only on the date; each event occurred within the last 30 days (docs/reports.md).
 */
const eventSchedules = {
  bots: { everyDays: 18, lastsDays: 8 },
  /**
   * Each time, traffic from another country falls to 10%. The next fall begins before the last ends, so one country is always
   * down.
   */
  collapse: { everyDays: 14, lastsDays: 18 },
  start: { everyDays: 48, lastsDays: 27 },
  /** Starts 24 days after `start`, so that one of the two feeds started 3 to 26 days ago. */
  'later-start': { everyDays: 48, lastsDays: 27 },
  'half-day outage': { everyDays: 17, lastsDays: 1 },
  outage: { everyDays: 173, lastsDays: 1 },
} as const satisfies Record<SourceEvent | 'half-day outage' | 'outage', EventSchedule>;

const collapsingGeos: readonly string[] = ['DE', 'US', 'BR', 'GB', 'FR'];
const collapsedShare = 0.1;

/** `2026-03-05`. */
const firstStartDay = 20_517;

function trafficShare(source: DemoSource, geo: string, day: number): number {
  const { story, id } = source;
  if (story === 'start' && !isWithin(eventSchedules.start, day - firstStartDay)) return 0;
  if (story === 'later-start' && !isWithin(eventSchedules['later-start'], day - firstStartDay - 24)) return 0;
  const halfDayFactor = isWithin(eventSchedules['half-day outage'], day) ? 0.5 : 1;
  const outageFactor = isWithin(eventSchedules.outage, day + id) ? 0.02 : 1;
  return halfDayFactor * outageFactor * (story === 'collapse' && hasCollapsed(geo, day) ? collapsedShare : 1);
}

export function hasBots({ story, subids }: DemoSource, subid: string, day: number): boolean {
  if (story !== 'bots' || !isWithin(eventSchedules.bots, day)) return false;
  // Readers of a report can only mark a sub-id that has a name.
  const named = subids.filter((name) => name !== '');
  return subid === named[occurrenceOf(eventSchedules.bots, day) % named.length];
}

function hasCollapsed(geo: string, day: number): boolean {
  const { everyDays, lastsDays } = eventSchedules.collapse;
  const latest = occurrenceOf(eventSchedules.collapse, day);
  return [latest, latest - 1].some(
    (each) => collapsingGeos[each % collapsingGeos.length] === geo && day - each * everyDays < lastsDays,
  );
}

function isWithin({ everyDays, lastsDays }: EventSchedule, day: number): boolean {
  return ((day % everyDays) + everyDays) % everyDays < lastsDays;
}

function occurrenceOf({ everyDays }: EventSchedule, day: number): number {
  return Math.floor(day / everyDays);
}

type SourceEvent = 'bots' | 'collapse' | 'start' | 'later-start';

export interface DemoSource {
  id: number;
  volume: number;
  clickMicros: number;
  subids: readonly string[];
  story?: SourceEvent;
}

interface DemoSources {
  account: keyof DemoAccounts;
  tids: readonly DemoSource[];
  feeds: readonly DemoSource[];
}

/** Publishers choose sub-ids freely, so some are empty or look like formulas. */
const subids = {
  news: ['top', 'article-end', 'sidebar "wide"', '', 'newsletter, weekly'],
  apps: ['android_147', 'ios_147', "=cmd|' /C calc'!A0", '@rewarded', '+49 30 1234'],
  tools: ['-footer', 'extension v2', 'new tab\nsearch', '\ttabbed', ''],
  young: ['Zürich–süd', '＝wide', '😀 game', 'a;b', '00123'],
} as const;

const firstIds: Readonly<Record<TenantId, { tid: number; feed: number; scale: number }>> = {
  northwind: { tid: 7_301, feed: 411, scale: 1 },
  meridian: { tid: 2_204, feed: 83, scale: 0.6 },
};

export function demoSources(tenant: TenantId): DemoSources[] {
  const { tid, feed, scale } = firstIds[tenant];
  return [
    {
      account: 'publisher',
      tids: [
        { id: tid, volume: 1_400_000 * scale, clickMicros: 31_000, subids: subids.news, story: 'bots' },
        {
          id: tid + 1,
          volume: 2_600_000 * scale,
          clickMicros: 12_500,
          subids: subids.apps,
          story: 'collapse',
        },
        { id: tid + 17, volume: 480_000 * scale, clickMicros: 44_200, subids: subids.tools },
        { id: tid + 39, volume: 95_000 * scale, clickMicros: 23_700, subids: subids.young },
      ],
      feeds: [
        { id: feed, volume: 210_000 * scale, clickMicros: 92_000, subids: subids.news, story: 'collapse' },
        { id: feed + 1, volume: 64_000 * scale, clickMicros: 118_500, subids: subids.tools, story: 'start' },
        { id: feed + 16, volume: 150_000 * scale, clickMicros: 41_300, subids: subids.apps, story: 'bots' },
        {
          id: feed + 39,
          volume: 9_000 * scale,
          clickMicros: 67_900,
          subids: subids.young,
          story: 'later-start',
        },
      ],
    },
    {
      account: 'buyer',
      tids: [{ id: tid + 54, volume: 38_000 * scale, clickMicros: 19_400, subids: subids.young }],
      feeds: [{ id: feed + 52, volume: 12_000 * scale, clickMicros: 58_600, subids: subids.news }],
    },
  ];
}
