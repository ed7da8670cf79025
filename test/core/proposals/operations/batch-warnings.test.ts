import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchWarnings } from '#shared/wording/batch.ts';
import type { Warning, WarningCode } from '#shared/wording/index.ts';
import { harmlessChanges, plantedFaults, type TrainingChange } from '#shared/training/corpus/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { runs } from '#test/setup/property-runs.ts';
import { batchOf } from '#test/fixtures/batch-of.ts';
import { wordsOfChange } from '#core/training/lesson-figure.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

const warning = (
  text: string,
  severity: Warning['severity'] = 'warning',
  code: WarningCode = 'bid_doubled',
): Warning => ({ code, severity, text: sentence`${ownWords(text)}` });

/** Makes one member per list of warnings, for the campaigns `A`, `B` and so on. */
const membersOf = (all: Warning[][]) =>
  all.map((warnings, index) => ({ warnings, name: `“${String.fromCodePoint(65 + index)}” (${index + 1})` }));
const texts = (all: Warning[][], campaigns = all.length): string[] =>
  batchWarnings(membersOf(all), campaigns, defaultFormats).lines.map(({ text }) => text);
const rows = (all: Warning[][]): string[][] =>
  batchWarnings(membersOf(all), all.length, defaultFormats).rows.map((warnings) =>
    warnings.map(({ text }) => text),
  );

const below = warning('The bid is below the floor.');
const capOff = warning('Frequency cap is switched off.', 'warning', 'frequency_cap_off');
const noEnd = warning('It has no end.', 'danger', 'end_removed');
const note = warning('The campaign becomes active.', 'notice', 'activates');

describe('the warnings of a batch', () => {
  test('are shown once when all changes have them', () => {
    expect(texts([[below], [below]])).toEqual(['Each campaign: The bid is below the floor.']);
    expect(texts([[below]])).toEqual(['The bid is below the floor.']);
    expect(rows([[below], [below]])).toEqual([[], []]);
  });

  test('are one line naming the changes when only some changes have them', () => {
    expect(texts([[noEnd, below, capOff], []])).toEqual([
      '“A” (1): It has no end.',
      '“A” (1): The bid is below the floor. Frequency cap is switched off.',
    ]);
    expect(texts([[below], [below], []])).toEqual(['“A” (1), “B” (2): The bid is below the floor.']);
  });

  test('are counted when many changes have them, and appear at each of these changes', () => {
    const many = [[below], [below], [below], [below], []];
    expect(texts(many)).toEqual(['4 of 5 changes: The bid is below the floor.']);
    expect(rows(many)).toEqual([[below.text], [below.text], [below.text], [below.text], []]);
  });

  test('appear only at their changes when they are notices about some of them', () => {
    expect(texts([[note], []])).toEqual([]);
    expect(rows([[note], []])).toEqual([[note.text], []]);
    expect(texts([[note], [note]])).toEqual(['Each campaign: The campaign becomes active.']);
  });

  test('are shown by an example when many texts differ', () => {
    const members = Array.from({ length: 9 }, (_, n) => [warning(`Below the floor of ${n}.`)]);
    expect(texts(members)).toEqual(['All 9 changes, for example: Below the floor of 0.']);
  });

  test('are all shown in their own words when they are dangers', () => {
    const members = Array.from({ length: 9 }, (_, n) => [warning(`Unlimited spending of ${n}.`, 'danger')]);
    expect(texts(members)).toHaveLength(9);
    expect(texts(members)[3]).toBe('“D” (4): Unlimited spending of 3.');
  });

  test('give the number of campaigns from ten campaigns on', () => {
    expect(texts(Array.from({ length: 10 }, () => []))).toEqual(['10 campaigns change at once.']);
    expect(texts(Array.from({ length: 9 }, () => []))).toEqual([]);
  });
});

describe('the texts of a batch', () => {
  const changes = [...plantedFaults, ...harmlessChanges].flatMap(({ write }) =>
    write.kind === 'change' ? [write.change] : [],
  );
  const withId = ({ before, after }: TrainingChange, cid: number): TrainingChange => ({
    before: { ...before, cid, name: `Campaign ${cid}` },
    after: { ...after, cid },
  });
  const group = fc
    .array(fc.constantFrom(...changes), { minLength: 2, maxLength: 5 })
    .map((some) =>
      some.map((change, index) => wordsOfChange(withId(change, index + 1), defaultFormats).words),
    );

  test('apply to every change unless they name one, and no change loses its own texts', () => {
    fc.assert(
      fc.property(group, (members) => {
        const { risk, warnings, detail } = batchOf(members);
        for (const note of risk.notes)
          for (const member of members) expect(member.risk.notes).toContain(note);
        const lines = warnings.map(({ text }) => text).filter((text) => text.startsWith('Each campaign: '));
        for (const { warnings: own } of members) {
          const said = own.map(({ text }) => text).join(' ');
          for (const line of lines)
            for (const text of line.replace('Each campaign: ', '').split(/(?<=\.) (?=[A-Z])/))
              expect(said).toContain(text);
        }
        if (detail.kind !== 'batch') throw new Error('It is no batch');
        for (const [index, member] of members.entries()) {
          const said = [...warnings, ...(detail.members[index]?.remarks ?? [])]
            .map(({ text }) => text)
            .join(' ');
          const isExample = said.includes('for example');
          for (const { text } of member.warnings) if (!isExample) expect(said).toContain(text);
        }
      }),
      runs(200),
    );
  });
});
