import { expect, test } from 'vitest';
import { type RiskFigure, riskiest } from '#renderer/ui/proposal/risk-figures.tsx';
import type { MoneyText } from '#shared/campaign/index.ts';

const amount = (dollars: number): MoneyText => ({
  text: `$${dollars}`,
  unlimited: false,
  micros: String(dollars * 1_000_000),
});
const unlimited: MoneyText = { text: 'Unlimited', unlimited: true, micros: '' };
const pair = (before: MoneyText, after: MoneyText) => ({ before, after });
const same = pair(amount(50), amount(50));

test.each([
  ['a bid ×10 with unchanged budgets', same, same, '×10', 'bid'],
  [
    'a daily budget that doubles more than the total',
    pair(amount(50), amount(200)),
    pair(amount(500), amount(900)),
    null,
    'perDay',
  ],
  ['spending without limit beats any bid', same, pair(amount(500), unlimited), '×100', 'untilEnd'],
  [
    'an activation: the larger sum',
    pair(amount(0), amount(50)),
    pair(amount(0), amount(500)),
    null,
    'untilEnd',
  ],
  ['unlimited before and after with a higher bid', same, pair(unlimited, unlimited), '×1.5', 'bid'],
  ['a bid ×1.14', same, same, '×1.14', null],
  ['a daily budget 20% higher', pair(amount(50), amount(60)), same, null, null],
  ['a daily budget half as high again', pair(amount(50), amount(75)), same, null, 'perDay'],
  ['a bid a thousand times as high', same, pair(amount(50), amount(100)), '×1,000', 'bid'],
  ['a lower bid', same, same, '×0.5', null],
  ['a pause', pair(amount(50), amount(0)), pair(unlimited, amount(0)), null, null],
] satisfies [string, ReturnType<typeof pair>, ReturnType<typeof pair>, string | null, RiskFigure | null][])(
  'the largest figure on screen for %s',
  (_name, perDay, untilEnd, bidFactor, expected) => {
    expect(riskiest({ perDay, untilEnd, bidFactor })).toBe(expected);
  },
);
