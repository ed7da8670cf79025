import type { OwnSentence, Sentence } from '../lib/sentence.ts';

export interface CatalogueEntry {
  status: number;
  level: 'info' | 'warn' | 'error';
  text: Sentence;
  next: Sentence;
}

type Row = readonly [text: string, next: string];

type OwnRows<R> = {
  [K in keyof R]: R[K] extends readonly [infer T extends string, infer N extends string]
    ? readonly [OwnSentence<T>, OwnSentence<N>]
    : never;
};

export function failures<const R extends Readonly<Record<string, Row>>>(
  status: number,
  level: CatalogueEntry['level'],
  rows: R & OwnRows<R>,
): { [K in keyof R]: CatalogueEntry } {
  const entries = Object.entries<Row>(rows).map(([code, [text, next]]) => [
    code,
    { status, level, text, next },
  ]);
  return Object.fromEntries(entries) as { [K in keyof R]: CatalogueEntry };
}
