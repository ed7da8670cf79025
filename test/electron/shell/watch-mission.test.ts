import { expect, test } from 'vitest';
import { watchMission } from '#electron/shell/follow-core.ts';
import { defaultShownFormats } from '#shared/lib/formats.ts';
import { fakeCore, settled, type FakeCore } from './fake-core.ts';
import { manualTimers, type ManualTimers } from './manual-timers.ts';

const answered = (workspace: unknown): unknown => ({ workspace, formats: defaultShownFormats });

const mission = (phase: 'briefing' | 'running' | 'over'): unknown =>
  answered({
    kind: 'mission',
    mission: 'bids',
    name: 'Ada',
    briefing: ['One.', 'Two.', 'Three.'],
    phase,
    decided: 0,
    total: 3,
    endsAtMs: null,
    attempt: null,
  });

function watched(first: unknown): {
  core: FakeCore;
  timers: ManualTimers;
  heard: (boolean | null)[];
  stop: () => void;
  becomes(answer: unknown): Promise<void>;
} {
  const core = fakeCore();
  const timers = manualTimers();
  const heard: (boolean | null)[] = [];
  core.answers['training.workspace'] = () => first;
  const stop = watchMission({ core, onChange: (running) => heard.push(running), after: timers.after });
  return {
    core,
    timers,
    heard,
    stop,
    async becomes(answer) {
      core.answers['training.workspace'] = () => answer;
      core.say({ kind: 'training.changed' });
      timers.pass(0);
      await settled();
    },
  };
}

test('a mission runs from its start to its end, and not during its briefing', async () => {
  const { heard, becomes } = watched(answered(null));
  await becomes(mission('briefing'));
  expect(heard).toEqual([false]);
  await becomes(mission('running'));
  await becomes(mission('over'));
  await becomes(answered(null));
  expect(heard).toEqual([false, true, false]);
});

test('free practice does not count as a mission, nor does a core that has ended', async () => {
  const { core, heard, becomes } = watched(answered({ kind: 'practice' }));
  await becomes(answered({ kind: 'practice' }));
  expect(heard).toEqual([false]);
  await becomes(mission('running'));
  core.become({ kind: 'restarting', sinceMs: 0, attempt: 1, nextTryAtMs: 1 });
  expect(heard).toEqual([false, true, null]);
});

test('an answer after the window was closed is ignored', async () => {
  const { core, timers, heard, stop } = watched(mission('running'));
  core.say({ kind: 'training.changed' });
  timers.pass(0);
  stop();
  await settled();
  expect(heard).toEqual([]);
});
