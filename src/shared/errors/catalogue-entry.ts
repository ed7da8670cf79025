import type { OwnSentence, Sentence } from '../lib/sentence.ts';

/** One kind of expected failure. */
export interface CatalogueEntry {
  /** HTTP status on our own servers. */
  status: number;
  /** Level at which it is logged. */
  level: 'info' | 'warn' | 'error';
  /** One plain sentence for the user. */
  text: Sentence;
  /** The user's next step, one plain sentence. */
  next: Sentence;
}

/** One row, in the order of its columns. */
export const entry = <const T extends string, const N extends string>(
  status: number,
  level: CatalogueEntry['level'],
  text: T & OwnSentence<T>,
  next: N & OwnSentence<N>,
): CatalogueEntry => ({
  status,
  level,
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the compiler does not resolve the type of a constant here
  text: text as Sentence,
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- as above
  next: next as Sentence,
});
