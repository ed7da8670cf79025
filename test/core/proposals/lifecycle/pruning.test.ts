import { setImmediate } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import { databaseIn } from '../../ledger/fixture.ts';
import { pauseAll } from '../../agents/emergency-stop-scene.ts';
import { asAgent } from '../undo/agent-writes.ts';
import { createWorld, proposeBid, type World } from '../world.ts';

const dayMs = 86_400_000;

/** A change of an agent that was approved and verified. */
async function verified(world: World): Promise<string> {
  const { proposal } = await proposeBid(world);
  const { proposal: after } = await world.approve(await world.look(proposal.id));
  expect(after.state).toBe('verified');
  return asAgent(world, proposal.id, 'Ada');
}

/** Reads the stored parts of a proposal. */
function stored(
  world: World,
  id: string,
): { payload: string; base: string; comparable: string | null; pruned_at_ms: number | null } {
  const db = new BetterSqlite3(databaseIn(world.folder), { readonly: true });
  const row = db
    .prepare(
      `SELECT payload || coalesce(hex(details), ?) AS payload, base, pruned_at_ms,
         json_extract(origin, '$.headline.comparable') AS comparable FROM proposal WHERE id = ?`,
    )
    .get('', id);
  db.close();
  return row as ReturnType<typeof stored>;
}

/** Days pass, and what is due is pruned, as the program would while it is quiet. */
async function pass(world: World, days: number): Promise<void> {
  world.clock.advance(days * dayMs);
  await quiet();
}

/** Lets a run of the pruning come to its end: it takes one turn for each few proposals. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await setImmediate();
}

const everything = { agentId: null, sinceMs: 0 };

describe('the details of a settled proposal', () => {
  test('are removed after 30 days, and its page, the net effect and a reversal say so', async () => {
    const world = await createWorld();
    const { handlers } = world.core;
    const id = await verified(world);
    await pass(world, 29);
    expect(stored(world, id)).toMatchObject({
      pruned_at_ms: null,
      comparable: expect.stringContaining('payout') as string,
    });
    expect(await handlers['ledger.netEffect'](everything)).toMatchObject({ prunedCount: 0 });
    expect((await handlers['ledger.netEffect'](everything)).items).toHaveLength(1);

    await pass(world, 2);
    expect(stored(world, id)).toMatchObject({ payload: '', base: '', comparable: null });
    expect(await handlers['proposals.get']({ id })).toMatchObject({
      state: 'verified',
      payload: '',
      changes: [],
      prunedAtMs: expect.any(Number) as number,
      title: expect.stringContaining('bid') as string,
    });
    expect(await handlers['ledger.netEffect'](everything)).toEqual({ items: [], prunedCount: 1 });
    await expect(handlers['ledger.reverse'](everything)).rejects.toMatchObject({
      code: 'nothing_to_reverse',
      message: expect.stringContaining('details were removed') as string,
    });
    expect(await handlers['ledger.verify']({})).toMatchObject({ state: 'verified' });
  });

  test('are named among what a reversal leaves out, beside what it can still bring back', async () => {
    const world = await createWorld();
    await verified(world);
    await pass(world, 31);
    await verified(world);
    const { id } = await world.core.handlers['ledger.reverse'](everything);
    const { detail } = await world.core.handlers['proposals.get']({ id });
    expect(detail).toMatchObject({ kind: 'batch', skipped: [{ what: '1 older change' }] });
  });

  test('stay while its outcome is unknown or a decision is waited for, however long that takes', async () => {
    const world = await createWorld();
    const id = await verified(world);
    const db = new BetterSqlite3(databaseIn(world.folder));
    db.prepare("UPDATE proposal SET state = 'unknown' WHERE id = ?").run(id);
    db.close();
    await pass(world, 400);
    expect(stored(world, id).payload).not.toBe('');
  });

  test('stay while an emergency stop can still be taken back', async () => {
    const world = await createWorld();
    const pause = await pauseAll(world);
    await pass(world, 400);
    expect(stored(world, pause.id).payload).not.toBe('');
    const { id } = await world.core.handlers['emergencyStop.resume']({});
    expect((await world.core.handlers['proposals.get']({ id })).state).toMatch(/proposed|shown/);
  });

  test('cannot be changed into other ones, nor come back', async () => {
    const world = await createWorld();
    const id = await verified(world);
    await pass(world, 31);
    const db = new BetterSqlite3(databaseIn(world.folder));
    for (const sql of [
      "UPDATE proposal SET payload = '{}'",
      'UPDATE proposal SET pruned_at_ms = NULL',
      "UPDATE proposal SET details = x'00'",
      "UPDATE proposal SET base = '{}', pruned_at_ms = 1",
      "UPDATE proposal SET payload = '', base = '', pruned_at_ms = 2, fingerprint = 'another'",
    ])
      expect(() => db.exec(sql)).toThrow('a proposal is never changed, only its state');
    db.close();
    expect(stored(world, id)).toMatchObject({ payload: '', base: '' });
  });
});

describe('retention of details', () => {
  test('is set by a person, on record, and applied at once', async () => {
    const world = await createWorld();
    const { handlers } = world.core;
    const id = await verified(world);
    await pass(world, 10);
    expect(await handlers['ledger.retentionDays']({})).toEqual({ days: 30 });
    await handlers['ledger.setRetentionDays']({ days: 7 });
    await quiet();
    expect(stored(world, id).payload).toBe('');
    const filter = { ...everyRow, about: 'details' };
    const { items } = await handlers['ledger.list']({ beforeSeq: null, limit: 5, filter });
    expect(items).toMatchObject([
      { kind: 'details.kept', actor: 'You', summary: 'Details of settled changes are kept for 7 days' },
    ]);
  });

  test('may be without end', async () => {
    const world = await createWorld();
    const id = await verified(world);
    await world.core.handlers['ledger.setRetentionDays']({ days: null });
    await pass(world, 4000);
    expect(stored(world, id).payload).not.toBe('');
    const again = await world.restart();
    expect(await again.core.handlers['ledger.retentionDays']({})).toEqual({ days: null });
  });
});
