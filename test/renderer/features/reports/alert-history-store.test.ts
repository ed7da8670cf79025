import { expect, onTestFinished, test } from 'vitest';
import {
  createAlertHistoryStore,
  type AlertTrialInput,
} from '#renderer/features/reports/stores/alert-history-store.ts';
import { trialText, usualRangeText } from '#renderer/features/reports/alerts/trial-text.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { fakeBridge, settled } from '#test/renderer/support/fake-bridge.ts';

type History = AppOutput<'reports.alerts.history'>;

const history = (change: Partial<History> = {}): History => ({
  knownDays: 90,
  trial: { checkedDays: 90, firedOn: [] },
  proposal: { kind: 'threshold', is: 'below', threshold: '410', usual: { low: '416.742', high: '1541.286' } },
  ...change,
});

const trial = (threshold: string): AlertTrialInput => ({
  source: { kind: 'xml', tid: 7 },
  only: null,
  metric: 'net_revenue',
  window: 'yesterday',
  condition: { kind: 'level', is: 'below', threshold },
  least: null,
});

test('typing requests one trial run at a time, and the last input counts', async () => {
  const waiting: (() => void)[] = [];
  const bridge = fakeBridge({
    'reports.alerts.history': () =>
      new Promise<History>((resolve) => void waiting.push(() => resolve(history()))),
  });
  const store = createAlertHistoryStore(bridge);
  onTestFinished(store.getState().start());
  for (const threshold of ['4', '41', '410']) store.getState().show(trial(threshold));
  await settled();
  expect(bridge.asked.map(({ input }) => input)).toEqual([trial('4')]);
  waiting[0]?.();
  await settled();
  expect(bridge.asked.map(({ input }) => input)).toEqual([trial('4'), trial('410')]);
  waiting[1]?.();
  await settled();
  expect(store.getState().answer?.of).toEqual(trial('410'));
  bridge.emit({ kind: 'reports.changed' });
  await settled();
  expect(bridge.asked).toHaveLength(3);
});

test('an answer that arrives after the form was closed is ignored', async () => {
  let answer = (): void => {};
  const bridge = fakeBridge({
    'reports.alerts.history': () => new Promise<History>((resolve) => (answer = () => resolve(history()))),
  });
  const store = createAlertHistoryStore(bridge);
  const stop = store.getState().start();
  store.getState().show(trial('4'));
  await settled();
  stop();
  answer();
  await settled();
  expect(store.getState().answer).toBeNull();
});

test.each<[History['trial'], string | null]>([
  [null, null],
  [{ checkedDays: 0, firedOn: [] }, 'It cannot be tried out: the days that it needs are not loaded.'],
  [{ checkedDays: 90, firedOn: [] }, 'Would not have fired in the last 90 days.'],
  [
    { checkedDays: 90, firedOn: ['2026-11-03', '2026-11-16'] },
    'Would have fired 2 times in the last 90 days: 3 Nov 2026, 16 Nov 2026.',
  ],
  [
    { checkedDays: 31, firedOn: ['2026-11-16'] },
    'Would have fired 1 time in the 31 of the last 90 days whose figures are loaded: 16 Nov 2026.',
  ],
  [
    { checkedDays: 90, firedOn: ['2026-10-01', '2026-10-12', '2026-11-03', '2026-11-16'] },
    'Would have fired 4 times in the last 90 days: most recently 12 Oct 2026, 3 Nov 2026, 16 Nov 2026.',
  ],
])('the trial run %j is described with the days that it covers', (found, text) => {
  expect(trialText(history({ trial: found }), defaultFormats)).toBe(text);
});

test('the usual range is shown, or the reason why no threshold is proposed', () => {
  const text = (change: Partial<History>): string =>
    usualRangeText('xml', 'net_revenue', history(change), defaultFormats);
  expect(text({})).toBe('Usually $416.74–$1,541.29 a day.');
  expect(text({ knownDays: 7, proposal: { kind: 'none', because: 'too-few-days' } })).toContain(
    'needs 14 days with enough volume, and 7 of the last 90 are loaded',
  );
  expect(text({ proposal: { kind: 'none', because: 'reaches-zero' } })).toContain('near zero');
});
