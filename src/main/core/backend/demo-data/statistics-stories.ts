import type { DemoSource, SourceStory } from './publisher-sources.ts';

/** Days between two beginnings, and how long each lasts, in days. Each holds for a source that names it, or for all. */
interface Story {
  everyDays: number;
  lastsDays: number;
}

/**
 * The stories that the demo's traffic tells. They come back by the calendar alone, so that the past never changes and a
 * person who starts on any day finds each of them in the last 30 days. README.md says where to look.
 */
const stories = {
  /** One sub-id, another one each time: clicks in floods, hardly any of them valid, next to no net revenue. */
  bots: { everyDays: 18, lastsDays: 8 },
  /** One country, another one each time, falls to a tenth and stays there. The next one falls before it is back. */
  collapse: { everyDays: 14, lastsDays: 18 },
  /** A feed runs for a while after three weeks without a row. */
  start: { everyDays: 48, lastsDays: 27 },
  /** The same of another feed, 24 days later: at any time one of the two has started 3 to 26 days ago. */
  'later-start': { everyDays: 48, lastsDays: 27 },
  /** Half the traffic of all sources, for a day. */
  'half-day outage': { everyDays: 17, lastsDays: 1 },
  /** Next to no traffic of one source, for a day. */
  outage: { everyDays: 173, lastsDays: 1 },
} as const satisfies Record<SourceStory | 'half-day outage' | 'outage', Story>;

/** In the order of their turns: the countries that make a difference. */
const collapsing: readonly string[] = ['DE', 'US', 'BR', 'GB', 'FR'];
const collapsedTo = 0.1;

/** The day 2026-03-05, on which the one feed starts, two days before a run of the other ends. */
const startsOn = 20_517;

/** How much of its ordinary traffic a source has from a country on a day: 1 on a day without a story, 0 for no rows. */
export function trafficShare(source: DemoSource, geo: string, day: number): number {
  const { story, id } = source;
  if (story === 'start' && !isWithin(stories.start, day - startsOn)) return 0;
  if (story === 'later-start' && !isWithin(stories['later-start'], day - startsOn - 24)) return 0;
  const ofAll = isWithin(stories['half-day outage'], day) ? 0.5 : 1;
  const ofSource = isWithin(stories.outage, day + id) ? 0.02 : 1;
  return ofAll * ofSource * (story === 'collapse' && hasCollapsed(geo, day) ? collapsedTo : 1);
}

/** Whether bots click under this sub-id on this day. */
export function hasBots({ story, subids }: DemoSource, subid: string, day: number): boolean {
  if (story !== 'bots' || !isWithin(stories.bots, day)) return false;
  // A reader can only find and mark a sub-id that has a name.
  const named = subids.filter((name) => name !== '');
  return subid === named[turn(stories.bots, day) % named.length];
}

/** The time of a collapse reaches into the next one's, so two turns are looked at. */
function hasCollapsed(geo: string, day: number): boolean {
  const { everyDays, lastsDays } = stories.collapse;
  const now = turn(stories.collapse, day);
  return [now, now - 1].some(
    (each) => collapsing[each % collapsing.length] === geo && day - each * everyDays < lastsDays,
  );
}

function isWithin({ everyDays, lastsDays }: Story, day: number): boolean {
  return ((day % everyDays) + everyDays) % everyDays < lastsDays;
}

function turn({ everyDays }: Story, day: number): number {
  return Math.floor(day / everyDays);
}
