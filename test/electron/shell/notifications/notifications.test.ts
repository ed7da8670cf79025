import { describe, expect, test } from 'vitest';
import { createNotificationThrottle } from '../../../../src/main/electron/shell/notifications/set-up-notifications.ts';
import { watchNewProposals } from '#electron/shell/follow-core.ts';
import { fakeCore, settled } from '../fake-core.ts';
import { manualTimers } from '../manual-timers.ts';
import { proposal } from '../proposal.ts';

describe('notifications of proposals', () => {
  const gathered = () => {
    const timers = manualTimers();
    const notified: number[] = [];
    return {
      timers,
      notified,
      throttle: createNotificationThrottle({ after: timers.after, notify: (n) => notified.push(n) }),
    };
  };

  test('in quick succession are one notification', () => {
    const { timers, notified, throttle } = gathered();
    for (let count = 0; count < 7; count += 1) throttle.add();
    expect(notified).toEqual([]);
    timers.pass(1_000);
    expect(notified).toEqual([7]);
  });

  test('in a flood appear every half minute at most', () => {
    const { timers, notified, throttle } = gathered();
    for (let second = 0; second < 120; second += 1) {
      throttle.add();
      timers.pass(1_000);
    }
    expect(notified.length).toBeLessThanOrEqual(4);
    expect(notified.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(80);
  });

  test('appear again after a quiet time', () => {
    const { timers, notified, throttle } = gathered();
    throttle.add();
    timers.pass(60_000);
    throttle.add();
    timers.pass(1_000);
    expect(notified).toEqual([1, 1]);
  });

  test('do not appear if the user saw the proposals in time', () => {
    const { timers, notified, throttle } = gathered();
    throttle.add();
    throttle.reset();
    timers.pass(60_000);
    expect(notified).toEqual([]);
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

  test.each(['proposed', 'shown'])('that is %s is reported once', async (state) => {
    const { core, heard } = watched(state);
    core.say({ kind: 'proposals.changed', id: 'p1' });
    core.say({ kind: 'proposals.changed', id: 'p1' });
    core.say({ kind: 'proposals.changed', id: 'p2' });
    await settled();
    expect(heard()).toBe(2);
  });

  test.each(['approved', 'denied', 'verified', 'unknown', 'expired'])(
    'that is %s is reported as shown immediately',
    async (state) => {
      const { core, heard } = watched(state);
      core.say({ kind: 'proposals.changed', id: 'p1' });
      await settled();
      expect(heard()).toBe(0);
    },
  );

  test('that cannot be read is ignored', async () => {
    const { core, heard } = watched('proposed');
    core.answers = {};
    core.say({ kind: 'proposals.changed', id: 'p1' });
    core.say({ kind: 'status.changed' });
    await settled();
    expect(heard()).toBe(0);
    expect(core.asked).toEqual(['proposals.get']);
  });
});
