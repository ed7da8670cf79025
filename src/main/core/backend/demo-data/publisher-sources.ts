import type { TenantId } from '../tenants.ts';
import type { DemoAccounts } from './accounts.ts';

/** A story that a single source may have; the outages come to all. */
export type SourceStory = 'bots' | 'collapse' | 'start' | 'later-start';

/** One traffic source or feed of the demo, and what its traffic is like. */
export interface DemoSource {
  id: number;
  /** Requests on an ordinary day. */
  volume: number;
  /** In micros per click, before the country's price. */
  clickMicros: number;
  subids: readonly string[];
  /** The story of its traffic, besides the common rhythm. */
  story?: SourceStory;
}

/** The traffic sources and feeds of one demo account. */
export interface DemoSources {
  account: keyof DemoAccounts;
  tids: readonly DemoSource[];
  feeds: readonly DemoSource[];
}

/** Subids are whatever publishers write, so some are empty and some would like to be formulas. */
const subids = {
  news: ['top', 'article-end', 'sidebar "wide"', '', 'newsletter, weekly'],
  apps: ['android_147', 'ios_147', "=cmd|' /C calc'!A0", '@rewarded', '+49 30 1234'],
  tools: ['-footer', 'extension v2', 'new tab\nsearch', '\ttabbed', ''],
  young: ['Zürich–süd', '＝wide', '😀 game', 'a;b', '00123'],
} as const;

const first: Readonly<Record<TenantId, { tid: number; feed: number; scale: number }>> = {
  northwind: { tid: 7_301, feed: 411, scale: 1 },
  meridian: { tid: 2_204, feed: 83, scale: 0.6 },
};

/** The same on every install: a publisher with several sources and feeds, and a buyer with one of each. */
export function demoSources(tenant: TenantId): DemoSources[] {
  const { tid, feed, scale } = first[tenant];
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
