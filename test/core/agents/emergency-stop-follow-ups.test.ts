import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  createFollowUps,
  type FollowUp,
  type SkippedCampaigns,
} from '#core/agents/emergency-stop/earlier-pauses.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

const freeze = 1_000;

/** The state after a stop that skipped these campaigns in the profile `demo`. */
function scene(...cids: number[]) {
  const clock = createManualClock();
  const state = {
    busy: new Set<number>(),
    frozenSinceMs: freeze as number | null,
    activeProfileId: 'demo',
    isFailing: false,
    meanwhile: (): void => {},
    ended: [] as string[],
    notSent: [] as number[],
  };
  const left = new Map<string, SkippedCampaigns>([['demo', { sinceMs: freeze, of: 'p1', cids, ended: [] }]]);
  const asked: [string, number[]][] = [];
  const followUps = createFollowUps({
    clock,
    activeProfileId: () => state.activeProfileId,
    skipped(profileId) {
      const found = left.get(profileId);
      return found?.sinceMs === state.frozenSinceMs ? found : null;
    },
    notSent: (_profile, { ended }) =>
      ended.length === state.ended.length
        ? { ended: [], cids: [] }
        : { ended: state.ended, cids: state.notSent },
    busyCids: () => state.busy,
    async pause(profileId, { of, cids: all, unlockedCids, ended }: FollowUp) {
      asked.push([profileId, unlockedCids]);
      state.meanwhile();
      await turn();
      if (state.isFailing) return false;
      const still = all.filter((cid) => !unlockedCids.includes(cid));
      const known = left.get(profileId)?.ended ?? [];
      left.set(profileId, { sinceMs: freeze, of, cids: still, ended: [...known, ...ended] });
      return true;
    },
  });
  onTestFinished(followUps.dispose);
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 8; turns += 1) await turn();
  };
  const look = async (): Promise<void> => {
    followUps.scheduleCheck();
    await settle();
  };
  return { state, left, asked, followUps, look, settle, clock };
}

test('a pause is proposed once for each skipped campaign, when its change is settled', async () => {
  const { state, asked, look } = scene(1, 2);
  state.busy = new Set([1, 2]);
  await look();
  expect(asked).toEqual([]);
  state.busy.delete(2);
  await look();
  await look();
  state.busy.delete(1);
  await look();
  await look();
  expect(asked).toEqual([
    ['demo', [2]],
    ['demo', [1]],
  ]);
});

test('a campaign that is unlocked while another pause is proposed is paused right afterwards', async () => {
  const { state, asked, followUps, look } = scene(1, 2);
  state.busy = new Set([2]);
  state.meanwhile = () => {
    state.busy.clear();
    followUps.scheduleCheck();
  };
  await look();
  expect(asked).toEqual([
    ['demo', [1]],
    ['demo', [2]],
  ]);
});

test('campaigns that a pause of the stop did not send are proposed once as well', async () => {
  const { state, asked, look } = scene();
  await look();
  expect(asked).toEqual([]);
  Object.assign(state, { ended: ['p1'], notSent: [5, 6], busy: new Set([6]) });
  await look();
  state.busy.clear();
  await look();
  await look();
  expect(asked).toEqual([
    ['demo', [5]],
    ['demo', [6]],
  ]);
});

test.each([
  ['once agents work again', null],
  ['when they are frozen again afterwards', freeze + 1],
])('nothing is proposed %s', async (_case, frozenSinceMs) => {
  const { state, asked, look } = scene(1);
  state.frozenSinceMs = frozenSinceMs;
  await look();
  expect(asked).toEqual([]);
});

test('campaigns left out in another profile wait until that profile is active', async () => {
  const { state, left, asked, look } = scene();
  left.set('live', { sinceMs: freeze, of: null, cids: [7], ended: [] });
  await look();
  expect(asked).toEqual([]);
  state.activeProfileId = 'live';
  await look();
  expect(asked).toEqual([['live', [7]]]);
});

test('a pause that could not be proposed is tried again after a while or when something changes', async () => {
  const { state, asked, look, settle, clock } = scene(1);
  state.isFailing = true;
  await look();
  await look();
  expect(asked).toHaveLength(2);
  state.isFailing = false;
  clock.advance(4_999);
  await settle();
  expect(asked).toHaveLength(2);
  clock.advance(1);
  await settle();
  expect(asked).toHaveLength(3);
  clock.advance(60_000);
  await settle();
  expect(asked).toHaveLength(3);
});
