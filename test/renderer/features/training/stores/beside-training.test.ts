import { expect, test, vi } from 'vitest';
import type { NewFile } from '#renderer/api/host-services.ts';
import { createRealWorkStore, createTrainingWindowStore } from '#renderer/stores/training-stores.ts';
import { createAttemptStore } from '#renderer/features/training/stores/training-store.ts';
import { homeHref, type HomeRoute, parseHomeRoute } from '#renderer/features/training/stores/home-route.ts';
import {
  answerQuestion,
  beginLesson,
  canContinue,
  lessonLength,
  questionAt,
  stepLesson,
} from '#renderer/features/training/stores/lesson-flow.ts';
import { createPracticeStore, readDollars } from '#renderer/features/training/stores/practice-store.ts';
import { createResultsStore, overviewOf } from '#renderer/features/training/stores/results-store.ts';
import type { AppOutput, CheckedResult, PracticeView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RealWork } from '#shared/host-api/index.ts';
import type { Lesson } from '#shared/training/lessons/index.ts';
import { fakeBridge, settled } from '../../../support/fake-bridge.ts';

test('every address of the training home opens its page, and an unknown address opens the missions', () => {
  const routes: HomeRoute[] = [
    { page: 'missions' },
    { page: 'lessons' },
    { page: 'lesson', lesson: 'taking-back' },
    { page: 'progress' },
    { page: 'attempt', id: 'an id / with a slash' },
    { page: 'results' },
  ];
  for (const route of routes) expect(parseHomeRoute(homeHref(route))).toEqual(route);
  expect(parseHomeRoute('')).toEqual({ page: 'missions' });
  expect(parseHomeRoute('#/lessons/unheard-of')).toEqual({ page: 'lessons' });
  expect(parseHomeRoute('#/attempts/%E0%A4%A')).toEqual({ page: 'progress' });
});

const answers = [
  { text: 'Yes', isRight: true, feedback: 'It is.' },
  { text: 'No', isRight: false, feedback: 'Look again.' },
];
const lesson: Lesson = {
  title: 'A lesson',
  summary: 'In short.',
  steps: [
    { title: 'One', paragraphs: [] },
    { title: 'Two', paragraphs: [] },
  ],
  questions: [
    { question: 'First?', answers },
    { question: 'Second?', answers },
  ],
};

test('a lesson moves from step to step, and past a question only after its right answer', () => {
  let flow = beginLesson(lesson);
  expect(stepLesson(lesson, flow, 'back').at).toBe(0);
  flow = stepLesson(lesson, stepLesson(lesson, flow, 'next'), 'next');
  expect(questionAt(lesson, flow)).toBe(0);
  expect(canContinue(lesson, flow)).toBe(false);
  flow = answerQuestion(lesson, flow, 1);
  expect(stepLesson(lesson, flow, 'next')).toEqual(flow);
  flow = stepLesson(lesson, answerQuestion(lesson, flow, 0), 'next');
  flow = stepLesson(lesson, answerQuestion(lesson, flow, 0), 'next');
  expect(flow.at).toBe(lessonLength(lesson));
  expect(canContinue(lesson, flow)).toBe(false);
  expect(answerQuestion(lesson, flow, 0)).toEqual(flow);
});

test('the latest requested debriefing is shown', async () => {
  const waiting = new Map<string, (value: AppOutput<'training.attempt'>) => void>();
  const bridge = fakeBridge({
    'training.attempt': ({ id }) => new Promise((resolve) => waiting.set(id, resolve)),
  });
  const store = createAttemptStore(bridge);
  const made = (id: string) => ({ attempt: { id }, items: [] }) as unknown as AppOutput<'training.attempt'>;
  void store.getState().open('one');
  void store.getState().open('two');
  waiting.get('two')?.(made('two'));
  waiting.get('one')?.(made('one'));
  await settled();
  expect(store.getState().debriefing?.attempt.id).toBe('two');
  await store.getState().open('two');
  expect(bridge.asked).toHaveLength(2);
});

const practice = { faults: ['slow'], states: [] } as unknown as PracticeView;

test('a practice control shows its result, and a return to an earlier state reloads the page', async () => {
  const beginAnew = vi.fn<() => void>();
  const bridge = fakeBridge({
    'practice.arm': () => practice,
    'practice.reset': () => practice,
    'practice.save': () => {
      throw new AppError('practice_states_full');
    },
  });
  const store = createPracticeStore(bridge, beginAnew);
  expect(await store.getState().apply('practice.arm', { fault: 'slow' })).toBe(true);
  expect(store.getState().view).toEqual(practice);
  expect(await store.getState().apply('practice.save', { name: 'Friday' })).toBe(false);
  expect(store.getState().refusal?.failure.code).toBe('practice_states_full');
  expect(beginAnew).not.toHaveBeenCalled();
  await store.getState().apply('practice.reset', {});
  expect(beginAnew).toHaveBeenCalledTimes(1);
});

test('a balance is read as dollars and cents, and any other text is refused', () => {
  expect(readDollars('250')).toBe(250_000_000);
  expect(readDollars(' $1,200.5 ')).toBe(1_200_500_000);
  expect(readDollars('0.05')).toBe(50_000);
  expect(readDollars('0,50')).toBe(500_000);
  expect(readDollars('1\u202F200.50')).toBe(1_200_500_000);
  for (const typed of ['', '-1', '1.005', '12 €', '1e3', '1,200', '1,,2', '9999999999999'])
    expect(readDollars(typed), typed).toBeNull();
});

const intact = (name: string, keyFingerprint = '1a2b'): CheckedResult => ({
  fileName: `${name}.json`,
  result: {
    kind: 'intact',
    name,
    keyFingerprint,
    savedAtMs: 5,
    attempts: [],
    progress: [
      { kind: 'bid', met: 3, caught: 3, isReliable: true },
      { kind: 'limits', met: 2, caught: 1, isReliable: false },
      { kind: 'hours', met: 0, caught: 0, isReliable: false },
    ],
  },
});

test('results are listed by name, without files that were edited', () => {
  const edited: CheckedResult = { fileName: 'x.json', result: { kind: 'refused', reason: 'It was edited.' } };
  const rows = overviewOf([intact('Mia'), edited, intact('Jonas')]);
  expect(rows.map(({ name }) => name)).toEqual(['Jonas', 'Mia']);
  const masteries = [...(rows[0]?.kinds.values() ?? [])].map(({ mastery }) => mastery);
  expect(masteries).toEqual(['reliable', 'unreliable', 'not-met']);
  expect(rows[0]?.good).toEqual({ decided: 0, stopped: 0 });
});

test('the good changes of all attempts are added up, and so are the good changes that were stopped', () => {
  const attempt = {
    name: 'Mia',
    mission: 'bids',
    seed: 7,
    beganAtMs: 1,
    endedAtMs: 2,
    score: { points: 50, caught: 1, missed: 1, falseAlarms: 2, fine: 5, undecided: 0, medianMs: 8_250 },
  } as const;
  const mia = intact('Mia');
  const attempts = [
    { ...attempt, id: 'm1', faults: [] },
    { ...attempt, id: 'm2', faults: [] },
  ];
  const checked = mia.result.kind === 'intact' ? { ...mia, result: { ...mia.result, attempts } } : mia;
  expect(overviewOf([checked])[0]?.good).toEqual({ decided: 14, stopped: 4 });
});

test('a result file is saved as it was signed, and a file that is opened again replaces its earlier row', async () => {
  const written: string[] = [];
  const file: NewFile = {
    name: 'mine.json',
    add: async (part) => void written.push(String(part)),
    end: async (keep) => void written.push(keep ? 'kept' : 'gone'),
  };
  const bridge = fakeBridge({
    'training.resultFile': () => ({ fileName: 'result.json', text: '{}' }),
    'training.checkResults': ({ files }) => ({
      results: files.map(({ fileName }) => intact(fileName.replace('.json', ''))),
    }),
  });
  const store = createResultsStore(bridge, async () => file);
  await store.getState().save();
  expect(written).toEqual(['{}', 'kept']);
  expect(store.getState().saved).toBe('mine.json');
  await store.getState().open([new File(['{}'], 'Mia.json'), new File(['{}'], 'Jonas.json')]);
  await store.getState().open([new File(['{}'], 'Mia.json')]);
  expect(store.getState().checked.map(({ fileName }) => fileName)).toEqual(['Jonas.json', 'Mia.json']);
});

test('two people with the same name have two rows, told apart by their keys', async () => {
  const keys = ['first key', 'second key'];
  const store = createResultsStore(
    fakeBridge({
      'training.checkResults': () => ({ results: [intact('Ana', keys.shift())] }),
    }),
    async () => null,
  );
  await store.getState().open([new File(['{}'], 'Ana.json')]);
  await store.getState().open([new File(['{}'], 'Ana.json')]);
  const rows = overviewOf(store.getState().checked);
  expect(rows.map(({ keyFingerprint }) => keyFingerprint)).toEqual(['first key', 'second key']);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
});

test('a result file that cannot be written is discarded, and the page shows the reason', async () => {
  const ends: boolean[] = [];
  const store = createResultsStore(
    fakeBridge({ 'training.resultFile': () => ({ fileName: 'result.json', text: '{}' }) }),
    async () => ({
      name: 'mine.json',
      add: () => Promise.reject(new AppError('disk_full')),
      end: async (keep) => void ends.push(keep),
    }),
  );
  await store.getState().save();
  expect(ends).toEqual([false]);
  expect(store.getState()).toMatchObject({ saved: null, refusal: { failure: { code: 'disk_full' } } });
});

test('waiting real work is shown as a count; an emergency stop is sent to the host once, and its result is shown', async () => {
  let tell = (_work: RealWork): void => {};
  let stops = 0;
  const store = createRealWorkStore({
    watchRealWork(listener) {
      tell = listener;
      return () => {};
    },
    reviewReal: async () => 'http://127.0.0.1/blocked',
    async stopRealAgents() {
      stops += 1;
      return { blocked: null, say: 'Nothing runs.' };
    },
  });
  store.getState().start();
  tell({ waiting: 2, frozen: false });
  expect(store.getState().work).toEqual({ waiting: 2, frozen: false });
  await Promise.all([store.getState().stop(), store.getState().stop()]);
  expect(stops).toBe(1);
  expect(store.getState().message).toBe('Nothing runs.');
  await store.getState().review();
  expect(store.getState()).toMatchObject({ message: null, blocked: 'http://127.0.0.1/blocked' });
});

test('a training window that the browser blocked is offered as a link, and a failure is shown', async () => {
  const answers: (() => Promise<string | null>)[] = [
    async () => 'http://127.0.0.1/training',
    () => Promise.reject(new AppError('core_unreachable')),
    async () => null,
  ];
  const store = createTrainingWindowStore(() => answers.shift()?.() ?? Promise.resolve(null));
  await store.getState().open();
  expect(store.getState().blocked).toBe('http://127.0.0.1/training');
  await store.getState().open();
  expect(store.getState()).toMatchObject({ blocked: null, failure: { code: 'core_unreachable' } });
  await store.getState().open();
  expect(store.getState()).toMatchObject({ blocked: null, failure: null });
});
