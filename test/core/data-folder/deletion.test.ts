import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { composeRestartable } from '#core/compose/restartable-core.ts';
import type { Core } from '#core/compose/compose.ts';
import { createWorld } from '#test/core/proposals/world.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { askForRestore, fetchBackup } from './hand-over.ts';

interface Host {
  dataKey: Buffer;
  /** For each reset of the host, which files were in the folder. */
  seen: { proposals: boolean; mark: boolean }[];
  start(resets?: () => Promise<Buffer | null>): Promise<Core>;
}

/** A host that keeps its key outside the folder, as the desktop does. */
function hostOver(folder: string): Host {
  const host: Host = {
    dataKey: randomBytes(32),
    seen: [],
    async start(
      resets = async () => {
        const has = (name: string): boolean => existsSync(join(folder, name));
        host.seen.push({ proposals: has('countersign.sqlite'), mark: has('delete.json') });
        return (host.dataKey = randomBytes(32));
      },
    ) {
      const core = await composeRestartable({
        dataFolder: folder,
        host: 'desktop',
        version: '0.0.0',
        dataKey: host.dataKey,
        confirmer: { via: 'desktop', show: async () => ({ address: null }), hide: () => undefined },
        demoCampaigns: 5,
        resetHost: resets,
      });
      onTestFinished(() => core.dispose());
      return core;
    },
  };
  return host;
}

const begunAgain = (core: Core): Promise<void> =>
  new Promise((resolve) => {
    core.subscribe(({ kind }) => void (kind === 'data.replaced' && resolve()));
  });

/** Counts the keys in the ledger. A start that can open the ledger's sealed key adds no second key. */
async function expectKeysOfLedger(core: Core, count: number): Promise<void> {
  const { keys, state } = await core.handlers['ledger.verify']({});
  expect([keys.length, state]).toEqual([count, 'verified']);
}

test('a deletion resets the host before it empties the folder, and later secrets are sealed with the host’s new key', async () => {
  const folder = tempFolder();
  const host = hostOver(folder);
  const first = host.dataKey;
  const core = await host.start();
  const again = begunAgain(core);
  await core.handlers['data.delete']({ word: 'delete' });
  await again;
  expect(host.seen).toEqual([{ proposals: true, mark: true }]);
  expect(host.dataKey).not.toEqual(first);
  await expectKeysOfLedger(core, 1);
  // The next start in the same process must have the new key too. A restore adds a ledger key of its own.
  const restored = begunAgain(core);
  await askForRestore(core, await fetchBackup(core));
  await restored;
  await expectKeysOfLedger(core, 2);
  await core.dispose();
  await expectKeysOfLedger(await host.start(), 2);
  expect(host.seen).toHaveLength(1);
});

test('a deletion that was killed before it began resets the host and deletes the data at the next start', async () => {
  const folder = tempFolder();
  const host = hostOver(folder);
  // A core that does not restart itself leaves the mark of the deletion in the folder.
  const { core: killed } = await createWorld({ folder, dataKey: host.dataKey, campaigns: 5 });
  await killed.handlers['data.delete']({ word: 'delete' });
  await killed.dispose();
  const core = await host.start();
  expect(host.seen).toEqual([{ proposals: true, mark: true }]);
  expect(existsSync(join(folder, 'delete.json'))).toBe(false);
  await expectKeysOfLedger(core, 1);
});

test('a host that cannot be reset in time keeps its key, and the data is deleted nevertheless', async () => {
  const folder = tempFolder();
  const host = hostOver(folder);
  const core = await host.start(async () => null);
  const again = begunAgain(core);
  await core.handlers['data.delete']({ word: 'delete' });
  await again;
  await expectKeysOfLedger(core, 1);
  await core.dispose();
  await expectKeysOfLedger(await host.start(), 1);
  expect(host.seen).toEqual([]);
});
