import { expect, test } from 'vitest';
import { createDoctorStore, lineCount, verdictOf } from '#renderer/features/doctor/stores/doctor-store.ts';
import type { DoctorReport, DoctorStep } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge, settled } from '#test/renderer/support/fake-bridge.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { sentence } from '#shared/lib/sentence.ts';

const step = (state: DoctorStep['state']): DoctorStep => ({
  id: 'health',
  title: sentence`Alive`,
  state,
  asked: sentence``,
  answer: sentence``,
  tookMs: null,
  means: null,
  remedy: null,
  findings: [],
});

const reportOf = (states: DoctorStep['state'][], endedAtMs: number | null = 2): DoctorReport => ({
  subject: 'Meridian',
  profileId: 'm',
  startedAtMs: 1,
  endedAtMs,
  steps: states.map(step),
  text: endedAtMs === null ? '' : 'the whole report',
});

test.each<[DoctorStep['state'][], number | null, string, string]>([
  [['ok', 'ok'], 2, 'well', 'Everything works'],
  [['ok', 'skipped'], 2, 'well', 'What was asked works'],
  [['ok', 'notice'], 2, 'notices', 'Works, with 1 remark'],
  [['notice', 'notice'], 2, 'notices', 'Works, with 2 remarks'],
  [['ok', 'failed', 'notice'], 2, 'failed', '1 thing does not work'],
  [['failed', 'failed'], 2, 'failed', '2 things do not work'],
  [['ok', 'failed', 'running'], null, 'running', 'Examining…'],
  [['ok', 'waiting'], 2, 'stopped', 'Stopped'],
])('steps %j with the end %s give the verdict %s', (states, endedAtMs, kind, words) => {
  expect(verdictOf(reportOf(states, endedAtMs), defaultFormats)).toMatchObject({ kind, words });
});

test('lines of the contract are counted in words', () => {
  const verbs = { one: 'holds', many: 'hold' };
  expect(lineCount(1, verbs, defaultFormats)).toBe('1 line of the contract holds');
  expect(lineCount(14, verbs, defaultFormats)).toBe('14 lines of the contract hold');
});

test('the page follows an examination, copies its report at the end, and shows failures', async () => {
  let report: DoctorReport = reportOf(['running', 'waiting'], null);
  const copied: string[] = [];
  const bridge = fakeBridge({
    'doctor.start': ({ profileId }) => {
      if (profileId !== 'm') throw new AppError('profile_unknown');
      return report;
    },
    'doctor.get': () => report,
    'doctor.stop': () => report,
  });
  const store = createDoctorStore({ bridge, copyText: async (text) => void copied.push(text) });
  const stop = store.getState().start();
  await store.getState().examine('m');
  await store.getState().copy();
  expect(copied).toEqual([]);

  report = reportOf(['ok', 'ok']);
  bridge.emit({ kind: 'doctor.changed' });
  await settled();
  expect(store.getState().report).toBe(report);
  await store.getState().copy();
  expect([copied, store.getState().copied]).toEqual([['the whole report'], true]);

  await store.getState().examine('gone');
  expect(store.getState().failure?.code).toBe('profile_unknown');
  expect(store.getState().report).toBe(report);
  stop();
});

test('a failure to copy the report is shown', async () => {
  const bridge = fakeBridge({ 'doctor.start': () => reportOf(['ok']) });
  const copyText = (): Promise<void> => Promise.reject(new AppError('not_found'));
  const store = createDoctorStore({ bridge, copyText });
  await store.getState().examine('m');
  await store.getState().copy();
  expect(store.getState()).toMatchObject({ copied: false, failure: { code: 'not_found' } });
});
