import { describe, expect, test } from 'vitest';
import { readTypedAmount, type TypedAmount } from '#shared/drafts/index.ts';

const set = (value: number): TypedAmount => ({ kind: 'operation', operation: { kind: 'set', value } });
const operation = (value: Extract<TypedAmount, { kind: 'operation' }>['operation']): TypedAmount => ({
  kind: 'operation',
  operation: value,
});

describe('a typed amount', () => {
  test.each<[string, TypedAmount]>([
    ['0.045', set(0.045)],
    [' $50 ', set(50)],
    ['1.2k', set(1_200)],
    ['1.2345k', set(1_234.5)],
    ['2M', set(2_000_000)],
    ['007', set(7)],
    ['1,234,567', set(1_234_567)],
    ['1,250.50', set(1_250.5)],
    ['1.250,50', set(1_250.5)],
    ['0,5', set(0.5)],
    ['12,5', set(12.5)],
    ['0,045', set(0.045)],
    ['1 250', set(1_250)],
    ['1\u202F250,50', set(1_250.5)],
    ['1 250 000', set(1_250_000)],
    ['$ 1 250.50', set(1_250.5)],
    ['- 5 %', operation({ kind: 'percent', percent: '-5' })],
    ['.05', set(0.05)],
    ['5.', set(5)],
    ['00.50', set(0.5)],
    ['+10%', operation({ kind: 'percent', percent: '10' })],
    ['-12.5%', operation({ kind: 'percent', percent: '-12.5' })],
    ['−5%', operation({ kind: 'percent', percent: '-5' })],
    ['+5', operation({ kind: 'add', amount: '5' })],
    ['-$0.01', operation({ kind: 'subtract', amount: '0.01' })],
    ['+1k', operation({ kind: 'add', amount: '1000' })],
  ])('%s', (typed, expected) => expect(readTypedAmount(typed)).toEqual(expected));

  test.each<[string, number[]]>([
    ['1,234', [1_234, 1.234]],
    ['12,345', [12_345, 12.345]],
    ['999,000', [999_000, 999]],
  ])('%s is ambiguous, so the user is asked', (typed, readings) =>
    expect(readTypedAmount(typed)).toEqual({ kind: 'ask', readings }),
  );

  test.each([
    '',
    'abc',
    '1.2.3',
    '1,2,3',
    '50 60',
    '1 2',
    '1 250 50',
    '0.5 0.6',
    '1 k 2',
    '5..',
    '--5',
    '10%',
    '1e5',
    '٣',
    '0.1234567',
    '1234567890123456',
    '1,234%',
    '.',
    ',',
  ])('“%s” is refused with a remedy', (typed) =>
    expect(readTypedAmount(typed)).toMatchObject({
      kind: 'wrong',
      message: expect.stringMatching(/\.$|0$/u),
    }),
  );
});
