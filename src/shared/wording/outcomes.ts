import type { FieldVerdict } from '../campaign/index.ts';
import { ownWords, type Sentence, sentence } from '../lib/sentence.ts';
import { valueWords } from './values.ts';

/** A field that someone else changed; `mine` is the value that the change asked for. */
export interface FieldConflict {
  field: string;
  label: string;
  base: string;
  mine: string;
  theirs: string;
}

/** A field that is no longer as it was: `Bid was $0.050 and is $0.040.` */
export function movedWords({ field, label, base, theirs }: Omit<FieldConflict, 'mine'>): Sentence {
  return sentence`${ownWords(label)} was ${valueWords(field, base)} and is ${valueWords(field, theirs)}.`;
}

/** The same with what this change asked for: `Bid: it was $0.050, you asked for $0.060, it is $0.040`. */
export function conflictWords({ field, label, base, mine, theirs }: FieldConflict): Sentence {
  const asked = mine === base ? '' : sentence` you asked for ${valueWords(field, mine)},`;
  return sentence`${ownWords(label)}: it was ${valueWords(field, base)},${ownWords(asked)} it is ${valueWords(field, theirs)}`;
}

/** A field that was not stored as it was sent: `Name: different, sent “A”, found “B”`. */
export function verdictWords(
  { field, label, sent, found }: Omit<FieldVerdict, 'verdict'>,
  verdict: string,
): Sentence {
  const now = found === '' ? ownWords('not read yet') : valueWords(field, found);
  return sentence`${ownWords(label)}: ${ownWords(verdict)}, sent ${valueWords(field, sent)}, found ${now}`;
}
