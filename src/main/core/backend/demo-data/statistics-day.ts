import type { SearchTraffic, XmlTraffic } from '#core/store/backend/index.ts';
import type { DemoSource } from './publisher-sources.ts';
import type { Random } from './random.ts';
import { level, subidShares, trafficGeos } from './statistics-rhythm.ts';
import { hasBots, trafficShare } from './statistics-stories.ts';

/** A country and a subid of a source that have traffic on a day. */
interface Spot {
  geo: string;
  subid: string;
  requests: number;
  /** Integer micros. */
  clickMicros: number;
}

/** A source's XML traffic on a day; `random` is the day's own. */
export function xmlDay(random: Random, source: DemoSource, day: number): XmlTraffic[] {
  return spots(random, source, day).map(({ geo, subid, requests, clickMicros }) => {
    const isBots = hasBots(source, subid, day);
    const clicks = part(requests, between(random, 0.018, 0.03) * (isBots ? 6 : 1));
    const invalid = part(clicks, isBots ? between(random, 0.93, 0.98) : between(random, 0.02, 0.06));
    const valid = clicks - invalid;
    const netClicks = valid - part(valid, isBots ? between(random, 0.6, 0.8) : between(random, 0.01, 0.04));
    return {
      geo,
      subid,
      grossRequests: requests,
      grossClicks: clicks,
      grossValid: valid,
      grossInvalid: invalid,
      grossRevenueMicros: BigInt(clicks * clickMicros),
      netRequests: requests - part(requests, between(random, 0.03, 0.07)),
      netClicks,
      netRevenueMicros: BigInt(netClicks * clickMicros),
    };
  });
}

/** A feed's searches on a day. */
export function searchDay(random: Random, source: DemoSource, day: number): SearchTraffic[] {
  return spots(random, source, day).map(({ geo, subid, requests, clickMicros }) => {
    const isBots = hasBots(source, subid, day);
    const monetized = part(requests, between(random, 0.52, 0.81));
    const clicks = part(monetized, between(random, 0.05, 0.11) * (isBots ? 6 : 1));
    // The service pays for the few clicks that a person made.
    const paid = isBots ? part(clicks, between(random, 0.02, 0.05)) : clicks;
    return { geo, subid, total: requests, monetized, clicks, revenueMicros: BigInt(paid * clickMicros) };
  });
}

function spots(random: Random, source: DemoSource, day: number): Spot[] {
  const requests = source.volume * level(source, day);
  return trafficGeos.flatMap(({ geo, share, price }) =>
    source.subids.flatMap((subid, at) => {
      const usual = requests * share * (subidShares[at] ?? 0);
      const mine = Math.round(usual * trafficShare(source, geo, day) * between(random, 0.84, 1.16));
      const clickMicros = Math.round(source.clickMicros * price * between(random, 0.9, 1.1));
      // Not every subid has traffic everywhere every day.
      return random.chance(0.05) || mine === 0 ? [] : [{ geo, subid, requests: mine, clickMicros }];
    }),
  );
}

function between(random: Random, least: number, most: number): number {
  return least + (most - least) * random.fraction();
}

function part(whole: number, share: number): number {
  return Math.min(whole, Math.floor(whole * share));
}
