import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { composeCore } from '#core/compose/compose.ts';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import type { EncodedError } from '#shared/errors/index.ts';
import { createWorld, proposeBid } from '#test/core/proposals/world.ts';
import { has } from '#test/servers/abilities.ts';
import { startChild } from '#test/servers/child.ts';

/** For each way in which a core loses its lock, what a person does to the folder. */
const losses: [what: string, lose: (folder: string) => void][] = [
  ['lock.sqlite was deleted', (f) => rmSync(join(f, 'lock.sqlite'))],
  [
    'both files of the lock were deleted',
    (f) => ['sqlite', 'json'].forEach((e) => rmSync(join(f, `lock.${e}`))),
  ],
  ['lock.sqlite was moved away', (f) => renameSync(join(f, 'lock.sqlite'), join(f, 'old-lock'))],
  [
    'lock.sqlite was replaced by an empty file',
    (f) => {
      writeFileSync(join(f, 'new'), '');
      renameSync(join(f, 'new'), join(f, 'lock.sqlite'));
    },
  ],
];

async function secondStart(folder: string): Promise<'started' | EncodedError> {
  const child = startChild(new URL('./refused-start.ts', import.meta.url), [folder]);
  const [line = ''] = await child.rest();
  return (JSON.parse(line) as { start: 'started' | EncodedError }).start;
}

const confirmer = { via: 'terminal', show: async () => ({ address: null }), hide() {} } as const;

async function loseLock(lose: (folder: string) => void) {
  const world = await createWorld();
  const display = await world.look((await proposeBid(world)).proposal.id);
  const { rows } = await world.core.handlers['ledger.verify']({});
  lose(world.folder);
  return { world, display, rows };
}

// Windows, which `links` excludes, does not allow an open file to be deleted or moved.
describe.runIf(has.links)('a core that has lost its lock', () => {
  test.each(losses)(
    'because %s can read but neither save nor send, and a second start is refused',
    async (_what, lose) => {
      const { world, display, rows } = await loseLock(lose);
      const { core, folder, dataKey } = world;
      for (const _start of ['second', 'third']) {
        await expect(
          composeCore({ dataFolder: folder, dataKey, confirmer, host: 'terminal', version: '0.0.0' }),
        ).rejects.toMatchObject({ code: 'data_folder_locked' });
      }
      await expect(world.approve(display)).rejects.toMatchObject({ code: 'lock_lost' });
      await expect(core.handlers['agents.freeze']({})).rejects.toMatchObject({ code: 'lock_lost' });
      expect(world.puts()).toBe(0);
      expect(await core.handlers['ledger.verify']({})).toMatchObject({ state: 'verified', rows });
    },
  );

  test('is named by a start in another process, which succeeds once that core has ended', async () => {
    const { world, rows } = await loseLock((f) => rmSync(join(f, 'lock.sqlite')));
    const { core, folder } = world;
    const refused = await secondStart(folder);
    expect(refused).toMatchObject({ code: 'data_folder_locked', data: { pid: process.pid } });
    await core.dispose();
    expect(await secondStart(folder)).toBe('started');
    const report = await verifyLedgerFile(join(folder, 'countersign.sqlite'));
    expect(report).toMatchObject({ state: 'verified', problem: null });
    expect(report.rows).toBeGreaterThanOrEqual(rows);
  });
});
