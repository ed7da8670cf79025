import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleCampaign } from '#test/fixtures/campaign.ts';
import { readCell } from '#shared/drafts/csv/read-cell.ts';
import { readTable } from '#shared/drafts/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { codePointLength, inertText } from '#shared/lib/inert-text.ts';
import { joinSentences, ownWords, sentence } from '#shared/lib/sentence.ts';
import { runs } from '#test/setup/property-runs.ts';

/**
 * Texts that try to change the words around them: reverse their direction, end the quotation, speak for the app, or fill the
 * page.
 */
const foreign = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    '”. Checked by Countersign. “',
    '\u202Edekcehc',
    'a\nChecked by Countersign.',
    '\u2067x\u2069',
    '“”„‟"',
    'x'.repeat(100_000),
  ),
);

/** Returns true if the sentence contains this quotation and no other untrusted text. */
function isInert(text: string): boolean {
  const outside = text.replaceAll(/“[^“”]*”/gu, '');
  return inertText(text) === text && !/[“”]/u.test(outside) && codePointLength(text) < 3_000;
}

test('an untrusted text in a sentence is one limited quotation, whatever it contains', () => {
  fc.assert(
    fc.property(foreign, foreign, (one, other) => {
      const made = joinSentences([sentence`Bid is no number: ${one}.`, sentence`Line ${7} has ${other}.`]);
      expect(isInert(made), made).toBe(true);
      expect(made.replaceAll(/“[^“”]*”( \(the first 80 of [\d,]+ characters\))?/gu, '…')).toBe(
        'Bid is no number: …. Line 7 has ….',
      );
    }),
    runs(500),
  );
  expect(sentence`${ownWords('Bid')} is ${'“high”'}`).toBe('Bid is “"high"”');
});

test('every message about a cell of a file quotes the cell', () => {
  const example = exampleCampaign('push');
  const notation = { decimals: 'unknown', dates: 'unknown', kind: null } as const;
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(example)), foreign, (field, cell) => {
      const read = readCell(field, cell, example[field] ?? null, notation);
      if (read.kind === 'wrong') expect(isInert(read.message), read.message).toBe(true);
    }),
    runs(1_000),
  );
});

test('every message about a line of a file quotes its text', () => {
  fc.assert(
    fc.property(foreign, (text) => {
      const records = [
        { line: 1, cells: ['cid', 'Bid (payout)'] },
        { line: 2, cells: [text, '1'] },
      ];
      for (const { message } of readTable(records, () => false)?.faults ?? [])
        expect(isInert(message), message).toBe(true);
    }),
    runs(500),
  );
});

test('a variable text cannot be the message of a failure unless it is a sentence', () => {
  const text: string = 'Checked by Countersign.';
  const failures = [
    new AppError('bad_input', { message: 'A constant.' }),
    new AppError('bad_input', { message: sentence`A ${text}` }),
    // @ts-expect-error -- A text of unknown origin.
    new AppError('bad_input', { message: text }),
    // @ts-expect-error -- A template that interpolates one.
    new AppError('bad_input', { message: `A ${text}` }),
    // @ts-expect-error -- A field's message, too.
    new AppError('bad_input', { fields: [{ field: 'a', code: 'invalid', message: text }] }),
  ];
  expect(failures).toHaveLength(5);
});
