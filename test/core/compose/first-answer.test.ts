import { expect, test } from 'vitest';
import type { AppEvent, CampaignFilter } from '#shared/app-api/index.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { composeUnattended } from '#test/servers/unattended-core.ts';
import type { Core } from '#core/compose/compose.ts';

const filter: CampaignFilter = { query: '', status: null, types: [], sort: 'cid', order: 'desc' };

const begins: [title: string, begin: (core: Core, clock: ManualClock) => Promise<unknown> | void][] = [
  [
    'when the first page of campaigns was answered',
    (core) => core.handlers['campaigns.page']({ filter, page: 1, perPage: 20 }),
  ],
  ['three seconds after the start, if no page was asked for', (_core, clock) => clock.advance(3_000)],
];

test.each(begins)('the ledger is verified %s', async (_title, begin) => {
  const clock = createManualClock();
  const core = await composeUnattended({ dataFolder: tempFolder(), demoCampaigns: 20, clock });
  const reported = Promise.withResolvers<void>();
  core.subscribe((event: AppEvent) => {
    if (event.kind === 'ledger.changed') reported.resolve();
  });
  await begin(core, clock);
  await reported.promise;
  expect(await core.handlers['ledger.report']({})).toMatchObject({ problem: null, state: 'verified' });
  await core.dispose();
});
