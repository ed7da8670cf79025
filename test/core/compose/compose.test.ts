import { randomBytes } from 'node:crypto';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { composeCore } from '#core/compose/compose.ts';
import type { ComposeOptions } from '#core/compose/options.ts';
import { appApi, type AppInput } from '#shared/app-api/index.ts';
import { createWorld, proposeBid } from '#test/core/proposals/world.ts';
import { has } from '#test/servers/abilities.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

function options(dataFolder: string): ComposeOptions {
  return {
    dataFolder,
    host: 'terminal',
    version: '0.0.0',
    dataKey: randomBytes(32),
    confirmer: { via: 'terminal', show: async () => ({ address: null }), hide() {} },
    demoCampaigns: 5,
  };
}

test('a core answers every request of the app API and nothing else', async () => {
  const { core } = await createWorld();
  expect(Object.keys(core.handlers).toSorted()).toEqual(Object.keys(appApi).toSorted());
});

test('a request that does not match its schema is refused with every invalid field', async () => {
  const { core } = await createWorld();
  const input = {
    title: '',
    changes: [{ cid: -1, field: '', draft: null }],
  } as AppInput<'drafts.change'>;
  await expect(core.handlers['drafts.change'](input)).rejects.toMatchObject({
    code: 'bad_input',
    fields: [{ field: 'title' }, { field: 'changes[0].cid' }, { field: 'changes[0].field' }],
  });
});

test('a core states its own version and the service that it uses', async () => {
  const { core } = await createWorld();
  const session = await core.handlers['session.get']({});
  expect(session).toMatchObject({
    version: '0.0.0',
    host: 'terminal',
    profile: { id: 'demo', kind: 'demo', zone: 'UTC' },
  });
  expect(core.info.profile()).toEqual(session.profile);
});

test('a first start is offered in a new folder until the user has seen it, by hosts with a screen for it', async () => {
  const folder = tempFolder();
  const isOffered = async (offersFirstStart: boolean): Promise<boolean> => {
    const core = await composeCore({ ...options(folder), offersFirstStart });
    const { isFirstStart = false } = await core.handlers['session.get']({});
    if (isFirstStart) await core.handlers['session.seenFirstStart']({});
    await core.dispose();
    return isFirstStart;
  };
  expect(await isOffered(false)).toBe(false);
  expect(await isOffered(true)).toBe(true);
  expect(await isOffered(true)).toBe(false);
});

test('a second core on the same folder is refused until the first has ended', async () => {
  const folder = tempFolder();
  const first = await composeCore(options(folder));
  await expect(composeCore(options(folder))).rejects.toMatchObject({ code: 'data_folder_locked' });
  await first.dispose();
  const second = await composeCore(options(folder));
  await second.dispose();
});

test('the port of the Demo service stays the same from start to start', async () => {
  const folder = tempFolder();
  const first = await composeCore(options(folder));
  const { serviceUrl } = first.info;
  await first.dispose();
  const second = await composeCore(options(folder));
  expect(second.info.serviceUrl).toBe(serviceUrl);
  await second.dispose();
});

test('if another program took the port, another port is chosen and kept', async () => {
  const folder = tempFolder();
  const first = await composeCore(options(folder));
  const port = Number(new URL(first.info.serviceUrl).port);
  await first.dispose();
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void squatter.close(() => resolve())));

  const second = await composeCore(options(folder));
  expect(second.info.serviceUrl).not.toBe(first.info.serviceUrl);
  await second.dispose();
  const third = await composeCore(options(folder));
  expect(third.info.serviceUrl).toBe(second.info.serviceUrl);
  await third.dispose();
});

test('a damaged database is moved aside, named, and replaced by a new one', async () => {
  const folder = tempFolder();
  await writeFile(`${folder}/backend.sqlite`, 'This is no database, whatever its name says.'.repeat(50));
  const core = await composeCore(options(folder));
  expect(core.info.setAsideFiles).toHaveLength(1);
  expect(core.info.setAsideFiles[0]).toContain('backend.sqlite.corrupt-');
  await core.dispose();
});

test.runIf(has.links)(
  'a start whose first anchor cannot be written continues, reports it, and sends nothing until the anchor is written',
  async () => {
    const folder = tempFolder();
    const blocked = join(folder, 'ledger.anchor.json.new');
    await symlink('/nowhere/at/all', blocked);
    const world = await createWorld({ folder });
    const { handlers } = world.core;
    const unanchored = { rows: 0, anchorFailedSinceMs: expect.any(Number) as number };
    expect(await handlers['session.status']({})).toMatchObject({ ledger: unanchored });
    expect(await handlers['ledger.report']({})).toMatchObject({ ...unanchored, anchored: null });
    await expect(proposeBid(world)).rejects.toMatchObject({ code: 'storage_failed' });

    await rm(blocked);
    const { proposal } = await proposeBid(world);
    expect((await world.approve(await world.look(proposal.id))).proposal.state).toBe('verified');
    expect(await handlers['ledger.verify']({})).toMatchObject({
      state: 'verified',
      anchorFailedSinceMs: null,
    });
    expect(world.puts()).toBe(1);
  },
);
