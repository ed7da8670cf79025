import { dayNumber } from '#shared/campaign/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

export class QueryReader {
  readonly #query: RawQuery;
  readonly #failures: FieldError[] = [];

  constructor(query: RawQuery) {
    this.#query = query;
  }

  text(name: string): string | undefined {
    const value = this.#query[name];
    if (!Array.isArray(value)) return value;
    this.fail(name, 'duplicate', sentence`Give ${ownWords(name)} once.`);
    return undefined;
  }

  integer<T>(name: string, { min, max, otherwise }: { min: number; max: number; otherwise: T }): number | T {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    const value = wholeNumber(text);
    if (value !== null && value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    this.fail(
      name,
      value === null ? 'wrong_type' : 'out_of_range',
      sentence`${ownWords(name)} must be a whole number ${ownWords(range)}.`,
    );
    return otherwise;
  }

  /** Reads an id without an upper bound. Returns null if it is absent or invalid. */
  positiveInteger(name: string): number | null {
    const text = this.text(name);
    if (text === undefined) return null;
    if (/^[1-9]\d*$/.test(text)) return Number(text);
    this.fail(name, 'wrong_type', sentence`${ownWords(name)} must be a positive whole number.`);
    return null;
  }

  /** Reads a day as `YYYY-MM-DD`. Returns an empty text if it is invalid. */
  day(name: string): string {
    this.require(name);
    const text = this.text(name);
    if (text === undefined) return '';
    if (dayNumber(text) !== null) return text;
    this.fail(name, 'wrong_type', sentence`${ownWords(name)} must be a day as YYYY-MM-DD.`);
    return '';
  }

  require(name: string): void {
    if (this.#query[name] === undefined) this.fail(name, 'required', sentence`Give ${ownWords(name)}.`);
  }

  oneOf<T extends string>(name: string, { words, otherwise }: { words: readonly T[]; otherwise: T }): T {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    const found = words.find((word) => word === text);
    if (found === undefined)
      this.fail(
        name,
        'not_allowed',
        sentence`${ownWords(name)} must be one of ${ownWords(words.join(', '))}.`,
      );
    return found ?? otherwise;
  }

  integers(name: string, max: number): number[] {
    const given = this.#query[name];
    const texts = given === undefined ? [] : [given].flat();
    if (texts.length > max)
      this.fail(name, 'out_of_range', sentence`Give ${ownWords(name)} at most ${max} times.`);
    const values = texts.map(wholeNumber);
    if (values.includes(null))
      this.fail(name, 'wrong_type', sentence`Every ${ownWords(name)} must be a whole number.`);
    return [...new Set(values.filter((value) => value !== null))];
  }

  finish(): void {
    if (this.#failures.length > 0) throw new AppError('validation_failed', { fields: this.#failures });
  }

  fail(field: string, code: string, message: Sentence): void {
    this.#failures.push({ field, code, message });
  }
}

function wholeNumber(text: string): number | null {
  if (!/^(0|[1-9]\d*)$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}
