import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import type { ReportPage, ReportState } from '#shared/app-api/index.ts';
import { page as reportPage, row } from '#test/renderer/features/reports/stores/support.ts';

const hourMs = 3_600_000;
const dates = ['15', '16', '17', '18', '19', '20', '21'].map((day) => `2026-11-${day}`);

/** A report with figures of a week by country. */
function withFigures(state: Partial<ReportState>, change: Partial<ReportPage> = {}): ReportPage {
  const answer = reportPage();
  return {
    ...answer,
    rows: [row(['BR'], ['1204', '310.5', '0.2578903654']), row(['US'], ['803', '98.25', '0.1223536737'])],
    rowCount: 2,
    totals: ['2007', '408.75', '0.2036621823'],
    days: dates.map((date, at) => ({ date, values: [String(200 + at * 30), String(40 + at * 6), '0.2'] })),
    ...change,
    state: { ...answer.state, readAtMs: Date.now(), ...state },
  };
}

function withNothing(state: Partial<ReportState>): ReportPage {
  const answer = reportPage();
  return { ...answer, state: { ...answer.state, readAtMs: null, ...state } };
}

function failure(code: ErrorCode, fields: { field: string; message: string }[] = []): ReportState['failure'] {
  const { message, next } = new AppError(code);
  return { code, message, next, fields };
}

/** A state of the page, as the core answers it. */
export interface StateOfPage {
  answer: ReportPage;
  /** The words on the page, and the step that it offers. */
  words: readonly string[];
  step?: string;
  /** Additional parameters of the page's address. */
  parameters?: string;
}

/** Every state that loading a report can have, as the core answers it. */
export const reportStates: Readonly<Record<string, () => StateOfPage>> = {
  'wrong scope': () => ({
    answer: withNothing({ state: 'failed', failure: failure('publisher_scope_missing') }),
    words: ['The publisher key does not have the scope of this report.'],
    step: 'Replace publisher key',
  }),
  'invalid key': () => ({
    answer: withNothing({ state: 'failed', failure: failure('publisher_key_invalid') }),
    words: ['The publisher key is missing, unknown or revoked.', 'Loaded figures are kept.'],
    step: 'Replace publisher key',
  }),
  'no data (404)': () => ({
    answer: withNothing({ failure: failure('no_data') }),
    words: ['No data for these days', 'Choose other days or another traffic source.'],
    step: 'Show last 30 days',
  }),
  'a refused source (422)': () => ({
    answer: withNothing({
      state: 'failed',
      failure: failure('validation_failed', [{ field: 'tid', message: 'This source has ended.' }]),
    }),
    words: ['This report cannot be shown.', 'This source has ended.'],
  }),
  'too large': () => ({
    answer: withNothing({ state: 'failed', failure: failure('number_too_large') }),
    words: ['too large to be exact', 'Choose a shorter range or fewer rows.'],
  }),
  'never reached': () => ({
    answer: withNothing({ state: 'failed', failure: failure('service_unreachable') }),
    words: ['The service cannot be reached.'],
    step: 'Try again',
  }),
  away: () => ({
    answer: withFigures({
      state: 'failed',
      failure: failure('service_unreachable'),
      readAtMs: Date.now() - 2 * hourMs,
      partial: true,
    }),
    words: ['The figures shown were read 2 h ago.', 'Some days are missing.'],
    step: 'Try again',
  }),
  reading: () => ({
    answer: withFigures({ state: 'reading', doneRequests: 1, allRequests: 3, receivedBytes: 12_300_000 }),
    words: ['Reading 1 of 3 · 12.3 MB'],
    step: 'Cancel',
  }),
  'reading the first figures': () => ({
    answer: withNothing({ state: 'reading', doneRequests: 0, allRequests: 3 }),
    words: ['Reading 0 of 3'],
    step: 'Cancel',
  }),
  cancelled: () => ({
    answer: withNothing({ state: 'cancelled', partial: true }),
    words: ['Nothing was read', 'Reading was cancelled before the first figures arrived.'],
    step: 'Read the report',
  }),
  partial: () => ({
    answer: withFigures({ state: 'cancelled', partial: true }),
    words: ['Reading was cancelled.', 'Only the days that were read count.'],
    step: 'Read the rest',
  }),
  'narrowed to a country': () => ({
    answer: withFigures({}),
    words: ['Lines show the whole source'],
    parameters: '&by=geo&only=geo:BR',
  }),
  'a row unlike the others': () => ({
    answer: withFigures(
      {},
      {
        columns: [
          { id: 'net_clicks', kind: 'count', label: null },
          { id: 'net_revenue', kind: 'money', label: null },
          { id: 'valid_rate', kind: 'share', label: null },
        ],
        rows: [
          {
            ...row(['BR'], ['1204', '310.5', '0.39']),
            unlike: [{ column: 'valid_rate', is: 'low', typical: '0.96' }],
          },
          row(['US'], ['803', '98.25', '0.96']),
        ],
      },
    ),
    words: ['Low valid rate', 'Low: typically 96.00%'],
    parameters: '&by=geo',
  }),
  'a search with a match': () => ({
    answer: withFigures({}),
    words: ['Total of all countries'],
    parameters: '&by=geo&find=a',
  }),
  'a search without a match': () => ({
    answer: withFigures({}, { rows: [], rowCount: 0 }),
    words: ['No countries of this report contain “Atlantis”.', 'Clear search'],
    parameters: '&by=geo&find=Atlantis',
  }),
};
