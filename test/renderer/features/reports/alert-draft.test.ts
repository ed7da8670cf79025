import { expect, test } from 'vitest';
import {
  draftFor,
  draftOf,
  errorsOf,
  ruleOf,
  trialOf,
  withProposal,
} from '#renderer/features/reports/alerts/alert-draft.ts';

const source = { kind: 'xml', tid: 7 } as const;

test('numbers of an alert may contain spaces as on the page, and a comma is rejected as ambiguous', () => {
  const draft = {
    ...draftOf(source, null, null),
    metric: 'net_revenue',
    amount: ' 1\u202F234.50 ',
    least: '1 000',
  };
  expect(errorsOf(draft)).toEqual({});
  expect(ruleOf(source, draft)).toMatchObject({
    condition: { kind: 'level', threshold: '1234.5' },
    least: { count: '1000' },
  });
  expect(Object.keys(errorsOf({ ...draft, amount: '1,234', least: '1,000' }))).toEqual(['amount', 'least']);
});

test('an alert draft has the minimum volume that suits its metric, and a proposed share is entered as a percentage', () => {
  const brazil = { dimension: 'geo', value: 'BR' };
  const sum = ruleOf(source, { ...draftFor(source, brazil, 'net_revenue'), amount: '410' });
  expect(sum).toMatchObject({ only: brazil, metric: 'net_revenue', window: 'yesterday', least: null });
  const draft = draftFor(source, null, 'valid_rate');
  expect(trialOf(source, draft)).toMatchObject({
    condition: null,
    least: { metric: 'gross_clicks', count: '100' },
  });
  // Its denominator is money, which is no volume.
  expect(draftFor(source, null, 'revenue_share')).toMatchObject({ leastMetric: 'gross_requests' });
  const proposed = withProposal(source, draft, { is: 'below', threshold: '0.86' });
  expect(proposed.amount).toBe('86');
  expect(ruleOf(source, proposed).condition).toEqual({ kind: 'level', is: 'below', threshold: '0.86' });
});

test('a trial run ignores fields that are not filled in correctly', () => {
  const draft = { ...draftOf(source, null, null), amount: '1,5', least: 'x' };
  expect(trialOf(source, draft)).toMatchObject({ condition: null, least: null });
  expect(trialOf(source, { ...draft, amount: '1.5' })).toMatchObject({
    condition: { kind: 'level', threshold: '0.015' },
  });
});
