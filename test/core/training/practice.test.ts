import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PracticeFault, PracticeView, ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { armingDelayMs } from '#shared/host-api/index.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { openTraining, type TrainingWorld, type TrainingWorldOptions } from './training-world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { eventually } from '#test/setup/eventually.ts';

const dayMs = 86_400_000;
const startMs = Date.parse('2026-11-23T06:00:00Z');

interface PracticeWorld extends TrainingWorld {
  clock: ManualClock;
}

async function openPractice(options: TrainingWorldOptions = {}): Promise<PracticeWorld> {
  const clock = createManualClock(startMs);
  const world = await openTraining({ ...options, clock });
  await world.core.handlers['training.startPractice']({});
  return { ...world, clock };
}

const panel = ({ core }: TrainingWorld): Promise<PracticeView> => core.handlers['practice.get']({});

interface Row {
  cid: number;
  payout: number;
  status: number;
}

async function running({ core }: TrainingWorld, status = 1): Promise<Row[]> {
  const { rows } = await core.handlers['campaigns.page']({
    filter: { query: '', status, types: [], sort: 'cid', order: 'asc' },
    page: 1,
    perPage: 50,
  });
  return rows;
}

async function bidOf({ core }: TrainingWorld, cid: number): Promise<unknown> {
  const { edit } = await core.handlers['campaigns.get']({ cid });
  return edit.campaign['payout'];
}

/** Decides as a person does, and resolves when the write has settled. */
async function decide(
  { core, shown, clock }: PracticeWorld,
  id: string,
  decision: 'approve' | 'deny' = 'approve',
): Promise<ProposalView> {
  await core.handlers['proposals.review']({ id });
  const display = shown.at(-1);
  if (display === undefined) throw new Error('Nothing was shown');
  const { displayId, nonce, fingerprint, proposal } = display;
  core.confirmation.seen({ displayId, nonce });
  clock.advance(armingDelayMs);
  const typed = decision === 'approve' ? (proposal.typeToConfirm?.value ?? null) : null;
  const decided = core.confirmation.decide({
    displayId,
    nonce,
    fingerprint,
    decision,
    reason: null,
    typed,
  });
  return (await decided).proposal;
}

async function pauseOne(world: PracticeWorld): Promise<ProposalView> {
  const [row] = await running(world);
  return world.core.handlers['campaigns.proposeStatus']({ cids: [row?.cid ?? 0], status: 3 });
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const failure: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return failure instanceof AppError ? failure.code : String(failure);
}

describe('the clock of the embedded service', () => {
  test('moves by an hour, a day or a week, and the core’s clock does not', async () => {
    const world = await openPractice();
    const { handlers } = world.core;
    expect(await panel(world)).toMatchObject({ aheadMs: 0, serviceNowMs: startMs, zone: 'UTC' });
    await handlers['practice.forward']({ by: 'hour' });
    await handlers['practice.forward']({ by: 'day' });
    const { aheadMs, serviceNowMs } = await handlers['practice.forward']({ by: 'week' });
    expect(aheadMs).toBe(8 * dayMs + 3_600_000);
    expect(serviceNowMs).toBe(startMs + aheadMs);
    expect((await pauseOne(world)).createdAtMs).toBe(startMs);
  });

  test('is still ahead after the workspace was left', async () => {
    const world = await openPractice();
    const { handlers } = world.core;
    await handlers['practice.forward']({ by: 'week' });
    await handlers['training.leave']({});
    const again = await world.restart();
    await again.core.handlers['training.resume']({});
    expect((await panel(again)).aheadMs).toBe(7 * dayMs);
  });
});

describe('a fault of one request', () => {
  test('applies to the next write only', async () => {
    const world = await openPractice();
    const { handlers } = world.core;
    const faults = [
      ['no-balance', 'refused', 'insufficient_balance'],
      ['conflict', 'refused', 'operation_refused'],
      ['wrong-server', 'refused', 'wrong_host'],
      ['not-available', 'unknown', expect.anything()],
      ['lost-answer', 'unknown', expect.anything()],
    ] as const;
    const rows = await running(world);
    for (const [at, [fault, state, code]] of faults.entries()) {
      expect((await handlers['practice.arm']({ fault })).faults).toEqual([fault]);
      const cids = [rows[at]?.cid ?? 0];
      const proposal = await handlers['campaigns.proposeStatus']({ cids, status: 3 });
      expect((await panel(world)).faults).toEqual([fault]);
      const hit = await decide(world, proposal.id);
      expect([fault, hit.state, hit.outcome?.code ?? null]).toEqual([fault, state, code]);
      expect((await panel(world)).faults).toEqual([]);
    }
  });

  test('of too many requests makes the write wait until it is sent again', async () => {
    const world = await openPractice();
    const { handlers } = world.core;
    await handlers['practice.arm']({ fault: 'too-many-requests' });
    const { id } = await pauseOne(world);
    const decided = decide(world, id);
    await eventually(async () => {
      world.clock.advance(1_000);
      expect((await handlers['proposals.get']({ id })).state).toBe('verified');
    });
    await decided;
  });

  test('can be turned off before it applies', async () => {
    const world = await openPractice();
    const { handlers } = world.core;
    await handlers['practice.arm']({ fault: 'conflict' });
    await handlers['practice.arm']({ fault: 'conflict' });
    expect((await handlers['practice.disarm']({ fault: 'conflict' })).faults).toEqual([]);
    expect((await decide(world, (await pauseOne(world)).id)).state).toBe('verified');
  });
});

describe('a lasting fault', () => {
  const persistent: readonly PracticeFault[] = ['tools-down', 'sign-in-down'];

  test.each(persistent)(
    '%s makes schedules unavailable until it is turned off, while edits continue',
    async (fault) => {
      const world = await openPractice();
      const { handlers } = world.core;
      await handlers['practice.arm']({ fault });
      await handlers['schedules.list']({ read: true });
      // Reads are retried after real pauses.
      await eventually(async () => {
        world.clock.advance(5_000);
        expect((await handlers['schedules.list']({ read: false })).state).toBe('failed');
      });
      expect((await decide(world, (await pauseOne(world)).id)).state).toBe('verified');
      expect((await panel(world)).faults).toEqual([fault]);
      await handlers['practice.disarm']({ fault });
      await eventually(async () => {
        const { state } = await handlers['schedules.list']({ read: false });
        if (state === 'failed') await handlers['schedules.list']({ read: true });
        expect(state).toBe('idle');
      });
    },
  );

  test('slow delays every answer by seconds', async () => {
    const world = await openPractice();
    const { handlers } = world.core;
    const [row] = await running(world);
    await handlers['practice.arm']({ fault: 'slow' });
    let isAnswered = false;
    const reading = handlers['campaigns.get']({ cid: row?.cid ?? 0 }).finally(() => (isAnswered = true));
    let passedMs = 0;
    await eventually(() => {
      if (!isAnswered) {
        world.clock.advance(100);
        passedMs += 100;
      }
      expect(isAnswered).toBe(true);
    });
    await reading;
    expect(passedMs).toBeGreaterThan(1_500);
  });
});

test('without a balance no campaign can be activated', async () => {
  const world = await openPractice();
  const { handlers } = world.core;
  expect((await handlers['practice.setBalance']({ micros: 500_000 })).balanceMicros).toBe(500_000);
  const [row] = await running(world, 3);
  const { id } = await handlers['campaigns.proposeStatus']({ cids: [row?.cid ?? 0], status: 1 });
  expect(await decide(world, id)).toMatchObject({ outcome: { code: 'insufficient_balance' } });
});

test('another user edits the named campaign, or any running one, while a change to it waits', async () => {
  const world = await openPractice();
  const { handlers } = world.core;
  const [row] = await running(world);
  const { cid, payout } = row ?? { cid: 0, payout: 0 };
  const to = Number((payout * 0.9).toFixed(6));
  const proposed = await proposeUpdate(handlers, {
    cid,
    changes: [{ field: 'payout', from: payout, to }],
  });
  const { lastEdit } = await handlers['practice.edit']({ cid });
  expect(lastEdit).toMatch(/^Someone else changed the bid of “.+” from \$.+ to \$.+\.$/);
  expect((await decide(world, proposed.id)).state).toBe('stale');
  expect(await bidOf(world, cid)).not.toBe(payout);
  const { lastEdit: another } = await handlers['practice.edit']({ cid: null });
  expect(another).not.toBe(lastEdit);
  expect(await codeOf(handlers['practice.edit']({ cid: 1 }))).toBe('campaign_not_found');
});

describe('saved states', () => {
  test('restore campaigns, proposals, ledger and the service’s clock', async () => {
    const world = await openPractice();
    const { handlers } = world.core;
    const { id: waiting } = await pauseOne(world);
    const before = await running(world);
    const { rows: ledgerRows } = await handlers['ledger.verify']({});
    await handlers['practice.forward']({ by: 'day' });
    expect((await handlers['practice.save']({ name: 'Before the weekend' })).states).toEqual([
      { name: 'Before the weekend', atMs: expect.any(Number) as number },
    ]);
    await decide(world, waiting);
    await handlers['practice.edit']({ cid: null });
    await handlers['practice.forward']({ by: 'week' });
    expect(await running(world)).not.toEqual(before);

    const { aheadMs, states } = await handlers['practice.return']({ name: 'Before the weekend' });
    expect([aheadMs, states.length]).toEqual([dayMs, 1]);
    expect(await running(world)).toEqual(before);
    expect((await handlers['proposals.get']({ id: waiting })).state).toBe('proposed');
    expect(await handlers['ledger.verify']({})).toMatchObject({ state: 'verified', rows: ledgerRows });
    expect((await decide(world, waiting)).state).toBe('verified');
    // The workspace and its saved state remain; the replaced folder is removed.
    expect(world.workspaces()).toHaveLength(2);
  });

  test('survive a reset and are deleted with the workspace', async () => {
    const world = await openPractice();
    const { handlers } = world.core;
    const before = await running(world);
    await handlers['practice.edit']({ cid: null });
    await handlers['practice.forward']({ by: 'week' });
    await handlers['practice.save']({ name: 'Edited' });
    expect(await handlers['practice.reset']({})).toMatchObject({ aheadMs: 0, states: [{ name: 'Edited' }] });
    expect(await running(world)).toEqual(before);
    await handlers['practice.return']({ name: 'Edited' });
    expect(await running(world)).not.toEqual(before);
    await handlers['training.leave']({});
    await handlers['training.discard']({});
    expect(world.workspaces()).toEqual([]);
    expect(readdirSync(world.folder)).not.toContain('states');
  });

  test('replace an earlier state of the same name, and are limited in number', async () => {
    const world = await openPractice({ demoCampaigns: 3 });
    const { handlers } = world.core;
    for (let count = 1; count <= 10; count += 1) await handlers['practice.save']({ name: `State ${count}` });
    expect(await codeOf(handlers['practice.save']({ name: 'One more' }))).toBe('practice_states_full');
    world.clock.advance(1_000);
    const { states } = await handlers['practice.save']({ name: 'State 3' });
    expect([states.length, states[0]?.name]).toEqual([10, 'State 3']);
    expect(await codeOf(handlers['practice.return']({ name: 'Unknown' }))).toBe('practice_state_unknown');
    for (const name of ['', '   ', 'a\u0000b', 'x'.repeat(41)]) {
      expect(await codeOf(handlers['practice.save']({ name }))).toBe('bad_input');
    }
  });
});

test('incomplete copies from a crash are deleted at the start, and saved states stay', async () => {
  const world = await openPractice({ demoCampaigns: 3 });
  await world.core.handlers['practice.save']({ name: 'Kept' });
  const kept = world.workspaces();
  mkdirSync(join(world.folder, 'workspaces', 'half-copied'));
  const again = await world.restart();
  expect(again.workspaces().toSorted()).toEqual(kept.toSorted());
  await again.core.handlers['training.resume']({});
  await again.core.handlers['practice.return']({ name: 'Kept' });
  expect((await panel(again)).states).toHaveLength(1);
});

test('a state whose copy is missing cannot be restored, and practice continues', async () => {
  const world = await openPractice({ demoCampaigns: 3 });
  const { handlers } = world.core;
  const before = world.workspaces();
  await handlers['practice.save']({ name: 'Lost' });
  const [copy] = world.workspaces().filter((name) => !before.includes(name));
  rmSync(join(world.folder, 'workspaces', copy ?? ''), { recursive: true });
  expect(await codeOf(handlers['practice.return']({ name: 'Lost' }))).toBe('practice_state_unknown');
  await running(world);
  expect((await panel(world)).aheadMs).toBe(0);
  expect(world.workspaces()).toEqual(before);
});
