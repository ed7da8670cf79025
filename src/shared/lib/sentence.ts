import { quotedStart } from './inert-text.ts';

declare const isSentence: unique symbol;

/** A sentence of the app in which every untrusted text is an inert, bounded quotation. Only {@link sentence} creates one. */
export type Sentence = string & { readonly [isSentence]: true };

/** The type of a message: a {@link Sentence}, or a constant of the source, but no interpolated template. */
export type OwnSentence<T extends string> = T extends Sentence
  ? T
  : // oxlint-disable-next-line typescript/no-generated-empty-object-type -- it fits a record of every key that is a pattern, and of no constant
    Record<never, never> extends Record<T, 1>
    ? Sentence
    : T;

export interface OwnWords {
  readonly ownWords: string;
}

/** Marks words of this program. Never use it for text of a file, a service, an agent or a person. */
export function ownWords(words: string): OwnWords {
  return { ownWords: words };
}

const maxQuoted = 80;

/**
 * A template tag, for example ``sentence`Line ${line} names ${cell}.` ``. It quotes every text; numbers and
 * {@link ownWords} are not quoted.
 */
export function sentence(
  words: TemplateStringsArray,
  ...parts: readonly (string | number | OwnWords)[]
): Sentence {
  return String.raw({ raw: words }, ...parts.map(partOf)) as Sentence;
}

function partOf(part: string | number | OwnWords): string | number {
  if (typeof part === 'object') return part.ownWords;
  return typeof part === 'number' ? part : quotedStart(part, maxQuoted);
}

/** A quotation of at most `max` code points, if the default length is too short. */
export function quotedUpTo(text: string, max: number): OwnWords {
  return ownWords(quotedStart(text, max));
}

export function joinSentences(sentences: readonly Sentence[]): Sentence {
  return sentences.join(' ') as Sentence;
}

/** `A`, `A and B`, `A, B and C`. */
export function listed(parts: readonly string[], word: 'and' | 'or' = 'and'): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${word} ${last}`;
}
