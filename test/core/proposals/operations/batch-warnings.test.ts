import { describe, expect, test } from 'vitest';
import { batchWarnings } from '#core/proposals/operations/batch/words.ts';
import type { Warning, WarningCode } from '#shared/campaign/index.ts';
import { usualFormats } from '#shared/lib/formats.ts';

const warning = (
  text: string,
  severity: Warning['severity'] = 'warning',
  code: WarningCode = 'bid_doubled',
): Warning => ({
  code,
  severity,
  text,
});
const texts = (members: Warning[][], campaigns = members.length): string[] =>
  batchWarnings(members, campaigns, usualFormats).map(({ text }) => text);

describe('the warnings of a batch', () => {
  test('are shown once, with the number of their changes', () => {
    const same = warning('The bid is below the floor.');
    expect(texts([[same], [same]])).toEqual(['All 2 changes: The bid is below the floor.']);
    expect(texts([[same], [same], []])).toEqual(['2 of 3 changes: The bid is below the floor.']);
    expect(texts([[same]])).toEqual(['The bid is below the floor.']);
  });

  test('with many different texts are shown by an example', () => {
    const members = Array.from({ length: 9 }, (_, n) => [warning(`Below the floor of ${n}.`)]);
    expect(texts(members)).toEqual(['All 9 changes, for example: Below the floor of 0.']);
  });

  test('that are dangers are all shown, each in its own words', () => {
    const members = Array.from({ length: 9 }, (_, n) => [warning(`Unlimited spending of ${n}.`, 'danger')]);
    expect(texts(members)).toHaveLength(9);
    expect(texts(members)[3]).toBe('1 of 9 changes: Unlimited spending of 3.');
  });

  test('name the number of campaigns from ten on', () => {
    expect(texts(Array.from({ length: 10 }, () => []))).toEqual(['10 campaigns change at once.']);
    expect(texts(Array.from({ length: 9 }, () => []))).toEqual([]);
  });
});
