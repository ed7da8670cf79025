import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createFollowUps, type LeftOut } from '#core/agents/emergency-stop/follow-ups.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

function scene(...locked: number[]) {
  const clock = createManualClock();
  const state = {
    locked: new Set(locked),
    isFrozen: true,
    activeProfileId: 'demo',
    failing: [] as number[],
    meanwhile: (): void => {},
  };
  const paused: [string, LeftOut][] = [];
  const followUps = createFollowUps({
    clock,
    store: { proposals: { lockOf: (_profile, cid) => (state.locked.has(cid) ? 'p0' : null) } },
    isFrozen: () => state.isFrozen,
    activeProfileId: () => state.activeProfileId,
    async pause(profileId, left) {
      paused.push([profileId, left]);
      state.meanwhile();
      return state.failing;
    },
  });
  onTestFinished(followUps.dispose);
  const look = async (): Promise<void> => {
    followUps.look();
    await turn();
  };
  return { state, paused, followUps, look, clock };
}

test('what a stop left out is asked for once, each when its change is settled', async () => {
  const { state, paused, followUps, look } = scene(1, 2);
  followUps.leave('demo', { of: 'p1', cids: [1, 2] });
  await look();
  expect(paused).toEqual([]);
  state.locked.delete(2);
  await look();
  await look();
  state.locked.delete(1);
  await look();
  await look();
  expect(paused).toEqual([
    ['demo', { of: 'p1', cids: [2] }],
    ['demo', { of: 'p1', cids: [1] }],
  ]);
});

test('what could not be asked for is asked for again, unless another stop has looked at it', async () => {
  const { state, paused, followUps, look } = scene();
  followUps.leave('demo', { of: 'p1', cids: [1, 2] });
  state.failing = [2];
  await look();
  await look();
  state.failing = [];
  await look();
  await look();
  expect(paused.map(([, { cids }]) => cids)).toEqual([[1, 2], [2], [2]]);
  followUps.leave('demo', { of: 'p1', cids: [1] });
  state.failing = [1];
  state.meanwhile = () => followUps.leave('demo', { of: 'p2', cids: [9] });
  await look();
  await look();
  expect(paused.slice(3)).toEqual([
    ['demo', { of: 'p1', cids: [1] }],
    ['demo', { of: 'p2', cids: [9] }],
  ]);
});

test('nothing is proposed once agents work again, also when they are frozen again', async () => {
  const { state, paused, followUps, look } = scene(1);
  followUps.leave('demo', { of: 'p1', cids: [1] });
  state.isFrozen = false;
  state.locked.clear();
  await look();
  state.isFrozen = true;
  await look();
  expect(paused).toEqual([]);
});

test('campaigns left out in another profile wait until that profile is active', async () => {
  const { state, paused, followUps, look } = scene();
  followUps.leave('live', { of: null, cids: [7] });
  await look();
  expect(paused).toEqual([]);
  state.activeProfileId = 'live';
  await look();
  expect(paused).toEqual([['live', { of: null, cids: [7] }]]);
});

test('what could not be asked for is asked for again after a while, whatever else happens', async () => {
  const { state, paused, followUps, look, clock } = scene();
  followUps.leave('demo', { of: 'p1', cids: [1] });
  state.failing = [1];
  await look();
  state.failing = [];
  clock.advance(4_999);
  await turn();
  expect(paused).toHaveLength(1);
  clock.advance(1);
  await turn();
  expect(paused).toHaveLength(2);
  clock.advance(60_000);
  await turn();
  expect(paused).toHaveLength(2);
});

test('a stop in another profile keeps nothing from being asked for again', async () => {
  const { state, paused, followUps, look } = scene();
  followUps.leave('demo', { of: 'p1', cids: [1] });
  state.failing = [1];
  state.meanwhile = () => followUps.leave('live', { of: 'p2', cids: [9] });
  await look();
  state.failing = [];
  await look();
  expect(paused.map(([profileId, { cids }]) => [profileId, cids])).toEqual([
    ['demo', [1]],
    ['demo', [1]],
  ]);
});
