import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedgerExport, verifyLedgerFile } from '#core/ledger/index.ts';
import { everyRow } from '#shared/app-api/index.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { tamper } from '#test/core/ledger/fixture.ts';
import { addMember, openDesktop, startLive } from '#test/core/connections/live-world.ts';
import { campaignNow, createWorld, kindsOf, proposeBid, type World } from '#test/core/proposals/world.ts';
import { initialize, openEndpointWorld, reopenEndpoint } from '#test/core/gateway/endpoint/endpoint-world.ts';
import { readRows } from '#test/servers/stored-rows.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { askForRestore, fetchBackup, handOver } from './hand-over.ts';

const appFile = ({ folder }: Pick<World, 'folder'>): string => join(folder, 'countersign.sqlite');

/** Makes a backup while one change is approved and being compared with the service, and a later change is undecided. */
async function backupWithOpenWork(world: World): Promise<{
  backup: Buffer;
  approved: { id: string; cid: number; from: unknown };
  waiting: string;
}> {
  const { proposal: change, cid } = await proposeBid(world);
  const { proposal: later } = await proposeBid(world);
  const from = (await campaignNow(world, cid))['payout'];
  const display = await world.look(change.id);
  const reached = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  const path = `/${cid}`;
  const run = (): Promise<void> => (reached.resolve(), proceed.promise);
  world.service.faults.arm({ kind: 'meanwhile', method: 'GET', path, run });
  const ended = world.approve(display);
  await reached.promise;
  const backup = await fetchBackup(world.core);
  proceed.resolve();
  expect((await ended).proposal.state).toBe('verified');
  return { backup, approved: { id: change.id, cid, from }, waiting: later.id };
}

test('a backup counts open proposals as the list does, with a batch as one', async () => {
  const world = await createWorld();
  const { handlers } = world.core;
  const { data } = await world.other.list({ page: 1, perPage: 200, status: 1 });
  const pauses = data
    .slice(0, 3)
    .map(({ cid }) => handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 }));
  const [one, other] = await Promise.all(pauses);
  await handlers['proposals.reviewTogether']({ ids: [one!.id, other!.id] });
  const { total } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 });
  const { found } = await handOver(world.core, await fetchBackup(world.core));
  expect([total, found.open]).toEqual([2, 2]);
});

describe('a restored backup', () => {
  test('sends none of its approved changes, and withdraws its waiting ones', async () => {
    const world = await createWorld();
    const { backup, approved, waiting } = await backupWithOpenWork(world);
    expect(world.puts()).toBe(1);
    const { id, found } = await handOver(world.core, backup);
    expect(found).toMatchObject({ open: 2, profiles: 0, agents: 0, version: '0.0.0' });
    expect(found.current.rows).toBeGreaterThan(found.ledger.rows);
    await world.core.handlers['data.restore']({ id });

    const restored = await world.restart();
    const { handlers } = restored.core;
    expect((await handlers['proposals.get']({ id: approved.id })).state).toBe('withdrawn');
    expect((await handlers['proposals.get']({ id: waiting })).state).toBe('withdrawn');
    expect(await kindsOf(restored, approved.id)).toContain('proposal.withdrawn');
    const { total } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 });
    expect(total).toBe(0);
    // A write of the same campaign must come after every request that could have been sent.
    const { proposal } = await proposeBid(restored, 1.2, approved.cid);
    expect(proposal.state).toBe('proposed');
    expect(restored.puts()).toBe(0);
    expect((await campaignNow(restored, approved.cid))['payout']).toBe(approved.from);
    expect(await handlers['data.get']({})).toMatchObject({
      lastBackupAtMs: found.madeAtMs,
      lastRestore: { failure: null },
    });
  });

  test('names the ledger that it replaced and verifies, and the replaced ledger is kept and verifies as well', async () => {
    const world = await createWorld();
    const backup = await fetchBackup(world.core);
    await proposeBid(world);
    await askForRestore(world.core, backup);
    const { rows, head } = await world.core.handlers['ledger.report']({});

    const restored = await world.restart();
    const report = await restored.core.handlers['ledger.verify']({});
    expect(report.state).toBe('verified');
    expect(report.restores).toMatchObject([{ previous: { count: rows, head } }]);
    expect(report.keys.map(({ endorsed }) => endorsed)).toEqual([true, false]);
    const { text } = await restored.core.handlers['ledger.export']({
      afterSeq: 0,
      untilSeq: null,
      filter: everyRow,
    });
    const exported = join(tempFolder(), 'ledger.jsonl');
    writeFileSync(exported, text);
    expect(await verifyLedgerExport(exported)).toMatchObject({
      state: 'verified',
      restores: report.restores,
    });
    await restored.core.dispose();
    expect(await verifyLedgerFile(appFile(world))).toMatchObject({ state: 'verified' });
    expect((await verifyLedgerFile(appFile(world), { head })).problem?.code).toBe('head_not_found');
    const [replaced = ''] = readdirSync(world.folder).filter((name) => name.startsWith('replaced-'));
    const kept = await verifyLedgerFile(join(world.folder, replaced, 'countersign.sqlite'), { head });
    expect(kept).toMatchObject({ state: 'verified', rows, head });
    expect(readdirSync(world.folder)).not.toContain('restore');
  });

  test('admits none of the agents that it lists as admitted', async () => {
    const { world, url, enter } = await openEndpointWorld();
    const { clientId, tokens } = await enter({ client_name: 'Claude Code' });
    expect((await initialize(url, tokens.access_token)).status).toBe(200);
    const backup = await fetchBackup(world.core);
    expect((await handOver(world.core, backup)).found.agents).toBe(1);
    await askForRestore(world.core, backup);
    const restored = await world.restart();
    const { handlers } = restored.core;
    const { agents } = await handlers['agents.get']({});
    expect(agents).toMatchObject([{ name: 'Claude Code', ended: { because: 'restored' } }]);
    const { items } = await handlers['ledger.list']({
      beforeSeq: null,
      limit: 10,
      filter: { ...everyRow, about: 'agent' },
    });
    expect(items.map(({ kind }) => kind)).toContain('agent.ended');
    const endpoint = await reopenEndpoint(restored);
    expect((await initialize(endpoint.url, tokens.access_token)).status).toBe(401);
    expect((await endpoint.client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(401);
  });
});

describe('with a live profile', () => {
  let live: RunningBackend;
  beforeAll(async () => {
    live = await startLive({ campaigns: 20 });
  });
  afterAll(() => live.dispose());

  test('a backup contains no secret, and the profile is signed out after its restore', async () => {
    const world = await openDesktop();
    const { id } = await addMember(world, live);
    const backup = await fetchBackup(world.core);
    await askForRestore(world.core, backup);
    const fresh = join(world.folder, 'restore', 'fresh');
    expect(readdirSync(fresh).toSorted()).toEqual([
      'backend.sqlite',
      'countersign.sqlite',
      'ledger.anchor.json',
    ]);
    const copy = join(fresh, 'countersign.sqlite');
    expect(readRows(copy, 'SELECT * FROM secret')).toEqual([]);
    const sealed = readRows<{ sealed: Buffer }>(appFile(world), 'SELECT sealed FROM secret');
    expect(sealed.length).toBeGreaterThan(1);
    for (const one of sealed) expect(readFileSync(copy).includes(one.sealed)).toBe(false);

    const restored = await world.restart();
    const { items } = await restored.core.handlers['profiles.list']({});
    expect(items.find((profile) => profile.id === id)).toMatchObject({ memberToken: { state: 'none' } });
  });
});

test('no backup is made of a ledger that does not verify, because every restore would refuse it', async () => {
  const world = await createWorld({ campaigns: 5 });
  await proposeBid(world);
  await world.core.dispose();
  tamper(world.folder, (db) => db.exec("UPDATE ledger SET summary = 'nothing' WHERE seq = 2"));
  const { core } = await world.restart();
  await expect(fetchBackup(core)).rejects.toMatchObject({ code: 'ledger_broken' });
  expect(readdirSync(world.folder)).not.toContain('backup');
});

test('a failed restore changes nothing and gives the reason', async () => {
  const world = await createWorld({ campaigns: 5 });
  const backup = await fetchBackup(world.core);
  await askForRestore(world.core, backup);
  await world.core.dispose();
  // Removes the fresh database, as a failed disk would.
  const fresh = join(world.folder, 'restore', 'fresh', 'countersign.sqlite');
  writeFileSync(fresh, 'no database');
  const again = await world.restart();
  const { lastRestore, replaced } = await again.core.handlers['data.get']({});
  expect(lastRestore?.failure?.message).toBeTypeOf('string');
  expect(replaced).toEqual([]);
  expect((await again.core.handlers['ledger.verify']({})).state).toBe('verified');
});

test('a deletion leaves the folder as before the first start', async () => {
  const world = await createWorld({ campaigns: 5 });
  await proposeBid(world);
  // Adds a folder of the user's own among the logs, and older logs.
  mkdirSync(join(world.folder, 'logs', 'mine'), { recursive: true });
  writeFileSync(join(world.folder, 'logs', 'countersign.log.1'), 'an older line\n');
  writeFileSync(join(world.folder, 'logs', 'countersign.log'), 'a line\n');
  writeFileSync(join(world.folder, 'vault.key'), 'wrapped');
  const backup = await fetchBackup(world.core);
  await askForRestore(world.core, backup);
  const restored = await world.restart();
  await restored.core.handlers['data.delete']({ word: 'delete' });
  const fresh = await restored.restart();
  const { total } = await fresh.core.handlers['proposals.list']({
    which: 'past',
    before: null,
    limit: 10,
  });
  expect(total).toBe(0);
  expect(readdirSync(world.folder).filter((name) => name.startsWith('replaced-'))).toEqual([]);
  const logs = readdirSync(join(world.folder, 'logs')).toSorted();
  expect(logs).toEqual(['countersign.log', 'countersign.log.1']);
  for (const log of logs) expect(readFileSync(join(world.folder, 'logs', log), 'utf8')).toBe('');
  expect(existsSync(join(world.folder, 'delete.json'))).toBe(false);
  expect((await fresh.core.handlers['ledger.report']({})).rows).toBe(1);
});
