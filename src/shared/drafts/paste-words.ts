import type { Formats } from '../lib/formats.ts';
import { quotedStart } from '../lib/inert-text.ts';
import { entryFaultWords } from './entry-faults.ts';
import type { LeftOutEntry, PasteAnswers, PasteQuestion } from './pasted-list.ts';

/** A question about a pasted text, with its answers by id. */
export interface PasteQuestionInWords {
  label: string;
  options: { id: string; label: string }[];
  /** Id of the answer that was given; empty for none. */
  value: string;
}

const sampleLength = 60;

/** A question in words. Text of the paste is quoted. */
export function questionInWords(
  question: PasteQuestion,
  answers: PasteAnswers,
  formats: Formats,
): PasteQuestionInWords {
  if (question.kind === 'parts')
    return {
      label: `${quotedStart(question.example, sampleLength)}: one entry or several?`,
      options: [
        { id: 'one', label: 'One entry' },
        { id: 'several', label: 'Several entries' },
      ],
      value: answers.parts ?? '',
    };
  return {
    label: `The text has ${formats.counted(question.columns.length, 'column')}. Which one has the entries?`,
    options: [
      ...question.columns.map(({ at, sample }) => ({
        id: String(at),
        label: `Column ${at + 1}: ${quotedStart(sample, sampleLength)}`,
      })),
      { id: 'all', label: 'All columns' },
    ],
    value: answers.column === undefined ? '' : String(answers.column),
  };
}

/** The answers with one more, by its id. */
export function withAnswer(answers: PasteAnswers, { kind }: PasteQuestion, id: string): PasteAnswers {
  if (kind === 'parts') return { ...answers, parts: id === 'one' ? 'one' : 'several' };
  // Another column has other parts.
  return { column: id === 'all' ? 'all' : Number(id) };
}

/** Entries that are left out, by reason. `hint` says what to do with an entry that is not understood. */
export function leftOutInWords(
  leftOut: readonly LeftOutEntry[],
  hint: string,
): { reason: string; entries: string[] }[] {
  return Object.entries(entryFaultWords).flatMap(([fault, words]) => {
    const entries = leftOut.filter((one) => one.fault === fault).map(({ entry }) => entry);
    const reason = fault === 'not_understood' && hint !== '' ? `${words}. ${hint}` : words;
    return entries.length === 0 ? [] : [{ reason, entries }];
  });
}
