import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alwaysUnlimitedText, perDayText, perDayWords, untilEndWords } from '#shared/wording/index.ts';
import {
  raisePerDay,
  raiseUntilEnd,
  sumPairs,
  type MoneyPair,
  type MoneyText,
} from '#shared/campaign/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const money = (dollars: number | null, day: Pick<MoneyText, 'from' | 'until'> = {}): MoneyText =>
  dollars === null
    ? { text: 'Unlimited', unlimited: true, micros: '', ...day }
    : { text: `$${dollars}`, unlimited: false, micros: String(dollars * 1_000_000), ...day };
const pair = (before: MoneyText, after: MoneyText): MoneyPair => ({ before, after });

describe('the days of money at risk, in 2026', () => {
  test.each([
    ['today', pair(money(50), money(50)), '$50 per day'],
    ['another amount', pair(money(50), money(60)), '$50 → $60 per day'],
    [
      'from a day on',
      pair(money(50, { from: '2031-01-01' }), money(60, { from: '2031-01-01' })),
      '$50 → $60 per day from 1 Jan 2031',
    ],
    [
      'from today on instead',
      pair(money(50, { from: '2031-01-01' }), money(50)),
      '$50 from 1 Jan 2031 → $50 today per day',
    ],
    [
      'from another day on',
      pair(money(50), money(50, { from: '2026-12-01' })),
      '$50 today → $50 from 1 Dec per day',
    ],
    ['nothing before', pair(money(0), money(50, { from: '2026-12-01' })), '$0 → $50 per day from 1 Dec'],
    ['nothing after', pair(money(50, { from: '2026-12-01' }), money(0)), '$50 from 1 Dec → $0 per day'],
  ])('per day: %s', (_what, figures, text) => expect(perDayText(figures, 2026)).toBe(text));

  test.each([
    ['one end', '2026-12-31', '2026-12-31', ['until 31 Dec', '', '']],
    ['an end in another year', '2031-12-31', '2031-12-31', ['until 31 Dec 2031', '', '']],
    ['two ends', '2026-12-07', '2026-12-21', ['until the end', 'until 7 Dec', 'until 21 Dec']],
    ['an end that goes', '2026-12-07', null, ['until the end', 'until 7 Dec', 'no end']],
    ['no end', null, null, ['until stopped', '', '']],
  ])('until the end: %s', (_what, from, to, expected) => {
    const words = untilEndWords(pair(money(600, { until: from }), money(600, { until: to })), 2026);
    expect([words.label, words.before, words.after]).toEqual(expected);
    expect(words.isChanged).toBe(from !== to);
  });

  test('several campaigns with different ends state no end', () => {
    const words = untilEndWords(pair(money(600), money(700)), 2026);
    expect(words).toMatchObject({ label: 'until the end', unlabelled: { before: '', after: '' } });
  });

  test('a change that only pauses has one label, of the side with money', () => {
    const words = perDayWords(pair(money(50, { from: '2031-01-01' }), money(0)), 2026);
    expect(words).toEqual({
      label: 'per day from 1 Jan 2031',
      before: '',
      after: '',
      unlabelled: { before: 'from 1 Jan 2031', after: '' },
      isChanged: true,
    });
  });
});

describe('the money of several campaigns', () => {
  test('counts campaigns that are unlimited before and after separately', () => {
    const { pair: sum, alwaysUnlimited } = sumPairs(
      [pair(money(500), money(700)), pair(money(null), money(null)), pair(money(300), money(500))],
      defaultFormats,
    );
    expect([sum.before.text, sum.after.text, alwaysUnlimited]).toEqual(['$800.00', '$1,200.00', 1]);
    expect(alwaysUnlimitedText({ perDay: 1, untilEnd: 1 })).toEqual([
      '1 campaign: unlimited per day and until the end, unchanged',
    ]);
    expect(alwaysUnlimitedText({ perDay: 0, untilEnd: 2 })).toEqual([
      '2 campaigns: unlimited until the end, unchanged',
    ]);
  });

  test('is unlimited if a campaign becomes unlimited', () => {
    const { pair: sum } = sumPairs(
      [pair(money(500), money(null)), pair(money(300), money(300))],
      defaultFormats,
    );
    expect(sum.after.text).toBe('Unlimited');
    expect(sum.before.text).toBe('$800.00');
  });

  test('begins with the first campaign that can spend, and ends if all end', () => {
    const { pair: sum } = sumPairs(
      [
        pair(money(0), money(5, { from: '2031-01-01', until: '2032-01-01' })),
        pair(money(0), money(5, { from: '2030-01-01', until: '2032-01-01' })),
        pair(money(0), money(0, { until: '2032-01-01' })),
      ],
      defaultFormats,
    );
    expect(sum.after).toMatchObject({ from: '2030-01-01', until: '2032-01-01' });
  });

  test('never loses the raise of a campaign, whatever the others are', () => {
    const any = fc.option(fc.nat(1000)).map((dollars) => money(dollars));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(any, any)),
        fc.nat(1000),
        fc.integer({ min: 1, max: 500 }),
        (others, from, by) => {
          // The other campaigns must not change, because a fall would offset the raise.
          const still = others.map(([side]) => pair(side, side));
          const { pair: sum } = sumPairs([...still, pair(money(from), money(from + by))], defaultFormats);
          expect(raisePerDay(sum)).toBe(BigInt(by) * 1_000_000n);
        },
      ),
    );
  });
});

describe('a raise of money at risk', () => {
  const perDay = pair(money(50), money(50));
  test.each([
    ['more', pair(money(50), money(60)), 10_000_000n],
    ['less', pair(money(60), money(50)), 0n],
    ['unlimited', pair(money(60), money(null)), 'unlimited'],
    ['no longer unlimited', pair(money(null), money(60)), 0n],
    ['earlier', pair(money(50, { from: '2031-01-01' }), money(50)), 50_000_000n],
    ['earlier without a limit', pair(money(null, { from: '2031-01-01' }), money(null)), 'unlimited'],
    ['later', pair(money(50), money(50, { from: '2031-01-01' })), 0n],
  ] as const)('per day: %s', (_what, figures, raise) => expect(raisePerDay(figures)).toBe(raise));

  test.each([
    ['a later end with an equal sum', '2026-12-31', '2027-12-31', 50_000_000n],
    ['no end with an equal sum', '2026-12-31', null, 50_000_000n],
    ['an earlier end', '2026-12-31', '2026-12-01', 0n],
  ] as const)('until the end: %s counts as at least a day', (_what, from, to, raise) => {
    const untilEnd = pair(money(600, { until: from }), money(600, { until: to }));
    expect(raiseUntilEnd({ perDay, untilEnd })).toBe(raise);
  });
});
