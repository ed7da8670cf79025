import { describe, expect, test, vi } from 'vitest';
import { createTrainingStore, isSamePlace } from '#renderer/features/training/stores/training-store.ts';
import type { TrainingHome, WorkspaceView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { defaultShownFormats } from '#shared/lib/formats.ts';
import { fakeBridge, settled } from '../../../support/fake-bridge.ts';

const home: TrainingHome = {
  names: ['Mia'],
  name: 'Mia',
  missions: [],
  lessons: [],
  progress: [],
  attempts: [],
  left: null,
  keyFingerprint: '1a2b',
};

function mission(change: Partial<Extract<WorkspaceView, { kind: 'mission' }>> = {}): WorkspaceView {
  return {
    kind: 'mission',
    mission: 'bids',
    name: 'Mia',
    briefing: ['One.', 'Two.', 'Three.'],
    phase: 'running',
    decided: 0,
    total: 6,
    endsAtMs: null,
    attempt: null,
    ...change,
  };
}

function training(first: WorkspaceView | null, left: TrainingHome['left'] = null) {
  const now = { workspace: first };
  const beginAnew = vi.fn<() => void>();
  const bridge = fakeBridge({
    'training.workspace': () => ({ workspace: now.workspace, formats: defaultShownFormats }),
    'training.home': () => ({ ...home, left }),
    'training.startMission': ({ mission: id }) =>
      (now.workspace = mission({ mission: id, phase: 'briefing' })),
    'training.startPractice': () => (now.workspace = { kind: 'practice' }),
    'training.resume': () => (now.workspace = { kind: 'practice' }),
    'training.begin': () => (now.workspace = mission()),
    'training.finish': () => (now.workspace = mission({ phase: 'over', attempt: 'a' })),
    'training.leave': () => {
      now.workspace = null;
      return home;
    },
    'training.setName': ({ name }) => {
      if (name === 'refused') throw new AppError('storage_failed');
      return { ...home, name };
    },
  });
  const store = createTrainingStore(bridge, beginAnew);
  store.getState().start();
  bridge.connect({ kind: 'connected' });
  return { store, bridge, beginAnew, now };
}

test('the window shows the training home while no workspace is open, and otherwise the open mission', async () => {
  const { store, bridge, beginAnew, now } = training(null);
  await settled();
  expect(store.getState().place).toEqual({ kind: 'home', home });

  const other = training(mission());
  await settled();
  other.now.workspace = mission({ decided: 2 });
  other.bridge.emit({ kind: 'training.changed' });
  await settled();
  expect(other.store.getState().place).toMatchObject({ workspace: { decided: 2 } });
  expect(other.beginAnew).not.toHaveBeenCalled();

  now.workspace = mission();
  bridge.emit({ kind: 'training.changed' });
  await settled();
  expect(beginAnew).toHaveBeenCalledTimes(1);
});

test('starting, finishing or leaving a mission reloads the page once, even if an event reports the same', async () => {
  for (const act of ['startMission', 'finish', 'leave'] as const) {
    const { store, bridge, beginAnew } = training(act === 'startMission' ? null : mission());
    await settled();
    const asked = store.getState()[act]('limits');
    bridge.emit({ kind: 'training.changed' });
    await asked;
    await settled();
    bridge.emit({ kind: 'training.changed' });
    await settled();
    expect(beginAnew).toHaveBeenCalledTimes(1);
  }
});

describe('an unfinished workspace', () => {
  const left = { kind: 'practice', mission: null, atMs: 0 } as const;
  const asked = ({ bridge }: ReturnType<typeof training>) =>
    bridge.asked.flatMap(({ name }) => (/start|resume/u.test(name) ? name : []));

  test('is deleted for another workspace only after the person agreed', async () => {
    const world = training(null, left);
    await settled();
    const { startMission, startPractice, keepLeft, startAnyway } = world.store.getState();
    await startPractice();
    expect(world.store.getState().question).toEqual({ start: null });
    keepLeft();
    await startAnyway();
    await startMission('limits');
    expect(world.store.getState().question).toEqual({ start: 'limits' });
    expect(asked(world)).toEqual([]);
    await startAnyway();
    expect(asked(world)).toEqual(['training.startMission']);
    expect(world.store.getState().question).toBeNull();
  });

  test('is resumed without another question', async () => {
    const world = training(null, left);
    await settled();
    await world.store.getState().startMission('limits');
    await world.store.getState().resume();
    expect(asked(world)).toEqual(['training.resume']);
    expect(world.store.getState().question).toBeNull();
  });

  test('causes no question if there is none', async () => {
    const world = training(null);
    await settled();
    await world.store.getState().startPractice();
    expect(asked(world)).toEqual(['training.startPractice']);
  });
});

test('the end of the briefing does not reload the page, and the end of the mission does', async () => {
  const { store, bridge, beginAnew, now } = training(mission({ phase: 'briefing' }));
  await settled();
  await store.getState().begin();
  expect(store.getState().place).toMatchObject({ workspace: { phase: 'running' } });
  expect(beginAnew).not.toHaveBeenCalled();
  now.workspace = mission({ phase: 'over', attempt: 'a' });
  bridge.emit({ kind: 'training.changed' });
  await settled();
  expect(beginAnew).toHaveBeenCalledTimes(1);
});

test('a name that could not be stored is reported, and the training home stays unchanged', async () => {
  const { store } = training(null);
  await settled();
  expect(await store.getState().setName('refused')).toBe(false);
  expect(store.getState().refusal?.failure.code).toBe('storage_failed');
  expect(await store.getState().setName('Jonas')).toBe(true);
  expect(store.getState()).toMatchObject({ refusal: null, place: { home: { name: 'Jonas' } } });
});

test('a page never continues with a different workspace', () => {
  const at = (workspace: WorkspaceView) => ({ kind: 'workspace', workspace }) as const;
  const practice = at({ kind: 'practice' });
  expect(isSamePlace(at(mission()), at(mission({ decided: 3 })))).toBe(true);
  expect(isSamePlace(at(mission()), at(mission({ mission: 'limits' })))).toBe(false);
  expect(isSamePlace(at(mission()), at(mission({ phase: 'over' })))).toBe(false);
  expect(isSamePlace(at(mission()), practice)).toBe(false);
  expect(isSamePlace(practice, practice)).toBe(true);
  expect(isSamePlace(practice, { kind: 'home', home })).toBe(false);
  expect(isSamePlace({ kind: 'home', home }, practice)).toBe(false);
});
