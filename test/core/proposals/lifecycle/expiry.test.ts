import { describe, expect, test, vi } from 'vitest';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { withStore } from '#test/servers/stores.ts';
import { createWorld, proposeBid } from '../world.ts';

const halfAMinuteMs = 30_000;

/** Records every delay in milliseconds that is requested of the clock from now on. */
function waitsOf(clock: ManualClock): () => number[] {
  const after = vi.spyOn(clock, 'after');
  return () => after.mock.calls.map(([delayMs]) => delayMs);
}

test('while a proposal waits, its expiry is checked every half minute, because timers stop while the machine sleeps', async () => {
  const world = await createWorld();
  const waits = waitsOf(world.clock);
  const { proposal } = await proposeBid(world);
  expect(waits()).toContain(halfAMinuteMs);
  world.clock.setForward(proposal.expiresAtMs - world.clock.nowMs() - halfAMinuteMs);
  expect((await world.core.handlers['proposals.get']({ id: proposal.id })).state).toBe('proposed');
  world.clock.advance(halfAMinuteMs);
  expect((await world.core.handlers['proposals.get']({ id: proposal.id })).state).toBe('expired');
});

test('no timer exceeds the maximum length of a timer after the clock was set back by months', async () => {
  const clock = createManualClock();
  const world = await createWorld({ clock });
  const { proposal } = await proposeBid(world);
  clock.setForward(-90 * 24 * 60 * 60 * 1000);
  const waits = waitsOf(clock);
  const restarted = await world.restart();
  expect(waits()).toContain(halfAMinuteMs);
  expect(Math.max(...waits())).toBeLessThan(2 ** 31);
  expect((await restarted.core.handlers['proposals.get']({ id: proposal.id })).state).toBe('proposed');
});

test('many proposals that expire at once are ended in several steps, and one that is opened meanwhile has already expired', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  await world.core.dispose();
  const { id } = createIds(() => world.clock.nowMs());
  const ids = withStore(world.folder, ({ proposals }) => {
    const found = proposals.find(proposal.id);
    if (found === null) throw new Error('It is gone');
    return Array.from({ length: 60 }, () => {
      const copy = { ...found, id: id() };
      proposals.insert(copy);
      return copy.id;
    });
  });
  const { core, clock } = await world.restart();
  const waiting = async (): Promise<number> =>
    (await core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 1 })).total;
  expect(await waiting()).toBe(61);
  clock.setForward(proposal.expiresAtMs - clock.nowMs());
  core.resume();
  expect(await waiting()).toBe(51);
  const last = ids.at(-1) ?? '';
  await expect(core.handlers['proposals.review']({ id: last })).rejects.toMatchObject({
    code: 'proposal_expired',
  });
  expect((await core.handlers['proposals.get']({ id: last })).state).toBe('expired');
  await expect.poll(waiting).toBe(0);
});

const hourMs = 3_600_000;

describe('the waiting time of a change is measured with the clock that shows more time passed', () => {
  test.for<[what: string, setByHours: number, passedHours: number, restarts: boolean, state: string]>([
    ['when no clock was set and less time passed', 0, 23, false, 'proposed'],
    ['when no clock was set and the time passed', 0, 24, false, 'expired'],
    ['when the time of day was set back', -72, 24, false, 'expired'],
    ['when the time of day was set ahead', 24, 0, false, 'expired'],
    ['when the time of day was set back and less time passed', -72, 23, false, 'proposed'],
    ['when the time of day was set back while the app was closed', -72, 24, true, 'expired'],
    ['when the time of day was set ahead while the app was closed', 24, 0, true, 'expired'],
    [
      'when the time of day was set back while the app was closed and less time passed',
      -72,
      23,
      true,
      'proposed',
    ],
  ])('%s', async ([, setByHours, passedHours, restarts, state]) => {
    const world = await createWorld();
    const { proposal } = await proposeBid(world);
    if (restarts) await world.core.dispose();
    world.clock.setForward(setByHours * hourMs);
    world.clock.advance(passedHours * hourMs);
    const { core } = restarts ? await world.restart() : world;
    core.resume();
    expect((await core.handlers['proposals.get']({ id: proposal.id })).state).toBe(state);
  });

  test('after a restart of the machine, the waiting time is measured by the time of day', async () => {
    const clock = createManualClock();
    clock.advance(1_000 * hourMs);
    const world = await createWorld({ clock });
    const { proposal } = await proposeBid(world);
    await world.core.dispose();
    const later = createManualClock(clock.nowMs() + 24 * hourMs);
    const { core } = await createWorld({ folder: world.folder, dataKey: world.dataKey, clock: later });
    core.resume();
    expect((await core.handlers['proposals.get']({ id: proposal.id })).state).toBe('expired');
  });
});
