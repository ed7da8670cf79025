import { createBulkChanges } from '#core/drafts/bulk/bulk-changes.ts';
import type { FullCampaign } from '#core/reads/index.ts';
import type { BulkEdit } from '#shared/drafts/index.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const campaignCount = 10_000;
const rounds = 11;

/** The median milliseconds of a call. Every call has another operand, so that nothing is cached. */
async function medianMs(call: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await call(round);
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

function campaigns(): FullCampaign[] {
  const { types, settings } = exampleContext();
  return Array.from({ length: campaignCount }, (_, index) => ({
    cid: index + 1,
    edit: { campaign: exampleCampaign(), campaign_types: types, settings },
    readAtMs: 0,
  }));
}

/** Measures the preview of a percent change over 10,000 campaigns: counts for all of them, text for one screenful. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string | null }[]> {
  const read = campaigns();
  const none = { campaigns: [], history: { undo: null, redo: null }, newestStep: null };
  const bulk = createBulkChanges({
    planOfFile: () => ({ line: 1, plan: { kind: 'changes' as const, changes: [] } }),
    accountLists: () => ({}),
    session: {
      start: () => {},
      state: () => {
        throw new Error('Not measured');
      },
      readAgain: () => {},
      stopReading: () => {},
      campaigns: () => read,
      times: () => 1,
      includesAll: () => true,
      today: () => ({ date: '2026-11-20', time: '12:00', zone: 'UTC' }),
      readOther: async () => null,
    },
    drafts: { 'drafts.get': async () => none, 'drafts.change': async () => ({ step: 1 }) },
    subscribe: () => () => {},
    formats: () => defaultFormats,
  });
  const edit = (percent: number): BulkEdit => ({
    kind: 'amount',
    field: 'payout',
    change: { kind: 'percent', percent: String(percent) },
    floor: null,
    cap: null,
    turnsOn: false,
  });
  const preview = (percent: number, offset = 0): Promise<unknown> =>
    bulk.requests['bulk.preview']({ edit: edit(percent), show: 'all', offset, limit: 50 });
  const first = await medianMs((round) => preview(round + 1));
  const later = await medianMs((round) => preview(1, round * 50));
  await bulk.dispose();
  return [
    { name: 'preview of a percent change, 10,000 campaigns', figure: first, unit: 'ms', aim: 'under 300' },
    { name: 'another screenful of it', figure: later, unit: 'ms', aim: null },
  ];
}
