import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createFreeze, type Freeze } from '#core/agents/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { openLedger } from '#test/core/ledger/fixture.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { noPolicy } from '#test/servers/no-policy.ts';

interface World {
  freeze: Freeze;
  clock: ManualClock;
  /** How often agents' undecided proposals were withdrawn; `changes` counts the events for pages. */
  withdrawals: number;
  changes: number;
  kinds(): string[];
  /** If true, transactions fail as on a full disk. */
  isFull: boolean;
  setSetting(value: string): void;
  again(): Promise<World>;
}

const startMs = 1_800_000_000_000;

function open(folder = tempFolder(), dataKey = randomBytes(32)): World {
  const { store, ledger, close } = openLedger(folder, dataKey);
  function transaction<T>(work: () => T): T {
    if (world.isFull) throw new AppError('storage_failed');
    return store.transaction(work);
  }
  const clock = createManualClock(startMs);
  const world: World = {
    clock,
    freeze: createFreeze({
      store: { ...store, transaction },
      ledger,
      clock,
      policy: noPolicy,
      onChange: () => void (world.changes += 1),
    }),
    withdrawals: 0,
    changes: 0,
    isFull: false,
    kinds: () =>
      ledger
        .list({ beforeSeq: null, limit: 50, filter: everyRow })
        .items.map(({ kind }) => kind)
        .filter((kind) => kind.startsWith('agents.'))
        .toReversed(),
    setSetting: (value) => store.transaction(() => store.settings.set('agents.frozen', value)),
    async again() {
      await close();
      return open(folder, dataKey);
    },
  };
  world.freeze.onFrozen(() => void (world.withdrawals += 1));
  return world;
}

const frozen = expect.objectContaining({ code: 'agents_frozen' }) as Error;

describe('a freeze', () => {
  test('stops even changes that were approved before it, however soon it is lifted', () => {
    const { freeze, clock } = open();
    const approvedAtMs = clock.monotonicMs();
    clock.advance(10);
    freeze.freeze();
    freeze.thaw();
    expect(() => freeze.assertThawed(approvedAtMs)).toThrow(frozen);
    clock.advance(10);
    expect(() => freeze.assertThawed(clock.monotonicMs())).not.toThrow();
    expect(() => freeze.assertThawed()).not.toThrow();
  });

  test('refuses every agent until it is lifted, and the ledger records both', () => {
    const { freeze, kinds } = open();
    expect(freeze.sinceMs()).toBeNull();
    expect(() => freeze.assertThawed()).not.toThrow();
    freeze.freeze();
    expect(freeze.sinceMs()).toBe(startMs);
    expect(() => freeze.assertThawed()).toThrow(frozen);
    freeze.thaw();
    expect(freeze.sinceMs()).toBeNull();
    expect(() => freeze.assertThawed()).not.toThrow();
    expect(kinds()).toEqual(['agents.frozen', 'agents.thawed']);
  });

  test('survives a restart', async () => {
    const world = open();
    world.freeze.freeze();
    const next = await world.again();
    expect(next.freeze.sinceMs()).toBe(startMs);
    next.freeze.thaw();
    expect((await next.again()).freeze.sinceMs()).toBeNull();
  });

  test('withdraws agents’ waiting proposals at the next start if a crash interrupted it', async () => {
    const world = open();
    world.freeze.recover();
    expect(world.withdrawals).toBe(0);
    world.freeze.freeze();
    const next = await world.again();
    next.freeze.recover();
    expect(next.withdrawals).toBe(1);
  });

  test('withdraws agents’ waiting proposals each time it is requested, and is recorded once', () => {
    const world = open();
    world.freeze.freeze();
    world.freeze.freeze();
    expect(world).toMatchObject({ withdrawals: 2, changes: 1 });
    expect(world.kinds()).toEqual(['agents.frozen']);
    world.freeze.thaw();
    world.freeze.thaw();
    expect(world.kinds()).toEqual(['agents.frozen', 'agents.thawed']);
    expect(world.changes).toBe(2);
  });

  test('applies even if the disk fails, and is recorded when the disk works again', () => {
    const world = open();
    const { freeze, kinds } = world;
    world.isFull = true;
    expect(() => freeze.freeze()).toThrow(expect.objectContaining({ code: 'storage_failed' }) as Error);
    expect(() => freeze.assertThawed()).toThrow(frozen);
    world.isFull = false;
    expect(kinds()).toEqual([]);
    freeze.freeze();
    expect(kinds()).toEqual(['agents.frozen']);
  });

  test('applies if its stored time cannot be read', () => {
    const { freeze, setSetting } = open();
    setSetting('yesterday');
    expect(() => freeze.assertThawed()).toThrow(frozen);
  });
});
