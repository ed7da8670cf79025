import { describe, expect, test } from 'vitest';
import { createArrivals, watchNewProposals } from '#electron/shell/arrivals.ts';
import { fakeCore, settled } from './fake-core.ts';
import { manualTimers } from './manual-timers.ts';
import { proposal } from './proposal.ts';

describe('what arrives', () => {
  const gathered = () => {
    const timers = manualTimers();
    const told: number[] = [];
    return { timers, told, arrivals: createArrivals({ after: timers.after, notify: (n) => told.push(n) }) };
  };

  test('in quick succession is announced once', () => {
    const { timers, told, arrivals } = gathered();
    for (let count = 0; count < 7; count += 1) arrivals.arrive();
    expect(told).toEqual([]);
    timers.pass(1_000);
    expect(told).toEqual([7]);
  });

  test('as a flood is announced every half minute at most', () => {
    const { timers, told, arrivals } = gathered();
    for (let second = 0; second < 120; second += 1) {
      arrivals.arrive();
      timers.pass(1_000);
    }
    expect(told.length).toBeLessThanOrEqual(4);
    expect(told.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(80);
  });

  test('after a quiet time is announced again', () => {
    const { timers, told, arrivals } = gathered();
    arrivals.arrive();
    timers.pass(60_000);
    arrivals.arrive();
    timers.pass(1_000);
    expect(told).toEqual([1, 1]);
  });

  test('and was seen by the person in time is not announced', () => {
    const { timers, told, arrivals } = gathered();
    arrivals.arrive();
    arrivals.forget();
    timers.pass(60_000);
    expect(told).toEqual([]);
    expect(timers.waiting()).toBe(0);
  });
});

describe('a new proposal', () => {
  const watched = (state: string) => {
    const core = fakeCore();
    core.answers['proposals.get'] = () => proposal(state);
    let heard = 0;
    const stop = watchNewProposals(core, () => (heard += 1));
    return { core, stop, heard: () => heard };
  };

  test.each(['proposed', 'shown'])('that is %s waits for a person, and is told once', async (state) => {
    const { core, heard } = watched(state);
    core.say({ kind: 'proposals.changed', id: 'p1' });
    core.say({ kind: 'proposals.changed', id: 'p1' });
    core.say({ kind: 'proposals.changed', id: 'p2' });
    await settled();
    expect(heard()).toBe(2);
  });

  test.each(['approved', 'denied', 'verified', 'unknown', 'expired'])(
    'that is %s is shown at once',
    async (state) => {
      const { core, heard } = watched(state);
      core.say({ kind: 'proposals.changed', id: 'p1' });
      await settled();
      expect(heard()).toBe(0);
    },
  );

  test('that cannot be read is let go', async () => {
    const { core, heard } = watched('proposed');
    core.answers = {};
    core.say({ kind: 'proposals.changed', id: 'p1' });
    core.say({ kind: 'status.changed' });
    await settled();
    expect(heard()).toBe(0);
    expect(core.asked).toEqual(['proposals.get']);
  });
});
