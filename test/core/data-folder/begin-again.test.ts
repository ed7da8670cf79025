import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { composeRestartable } from '#core/compose/restartable-core.ts';
import type { AppEvent } from '#shared/app-api/index.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { askForRestore, fetchBackup } from './hand-over.ts';

test('a core that restores a backup restarts by itself, hides its confirmations, and makes pages reload', async () => {
  const hidden: string[] = [];
  const shown: string[] = [];
  const core = await composeRestartable({
    dataFolder: tempFolder(),
    host: 'browser',
    version: '0.0.0',
    dataKey: randomBytes(32),
    confirmer: {
      via: 'browser',
      show: async ({ displayId }) => (shown.push(displayId), { address: null }),
      hide: (displayId) => void hidden.push(displayId),
    },
    demoCampaigns: 5,
  });
  onTestFinished(() => core.dispose());
  const { handlers } = core;
  const { rows: items } = await handlers['campaigns.page']({
    filter: { query: '', status: 1, types: [], sort: 'cid', order: 'asc' },
    page: 1,
    perPage: 1,
  });
  const [row] = items;
  if (row === undefined) throw new Error('No campaign runs');
  const change = { field: 'payout', from: row.payout, to: row.payout * 1.1 };
  const { id } = await proposeUpdate(handlers, { cid: row.cid, changes: [change] });
  await handlers['proposals.review']({ id });
  const { rows } = await handlers['ledger.report']({});

  const events: AppEvent['kind'][] = [];
  const replaced = new Promise<void>((resolve) => {
    core.subscribe(({ kind }) => {
      events.push(kind);
      if (kind === 'data.replaced') resolve();
    });
  });
  await askForRestore(core, await fetchBackup(core));
  await replaced;
  expect(hidden).toEqual(shown);
  expect((await handlers['proposals.get']({ id })).state).toBe('withdrawn');
  expect((await handlers['ledger.report']({})).rows).toBeGreaterThan(rows);
  expect(core.info.profile().kind).toBe('demo');
});
