import { expect, test } from 'vitest';
import { draftOf, errorsOf, ruleOf } from '#renderer/features/reports/alerts/alert-draft.ts';

const source = { kind: 'xml', tid: 7 } as const;

test('numbers of an alert are read as a page writes them with spaces, and a comma is asked about', () => {
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
