import { resized, type DimensionColumn, type SumColumnData } from '../table.ts';
import { numberTooLarge, powersOfTen, rescale, unitsText } from '../tables/scaled.ts';
import { ByteDictionary } from './byte-dictionary.ts';
import type { DecimalReader } from './decimal-reader.ts';
import type { FieldRule } from './field-rules.ts';
import { type JsonBytes, Malformed } from './json-bytes.ts';

/**
 * One field of the rows, as a column that grows. A field that the contract does not know is `undecided` until its first value:
 * a number makes it a `sum`, a text a `dimension`. A text among numbers turns a sum into a dimension, the numbers so far becoming texts
 * in their plainest form; numbers among texts become such texts, too. So no row is refused for them.
 */
export class RowField {
  readonly name: string;
  /** The name as written in the JSON if it has no escape. */
  readonly nameBytes: Uint8Array;
  role: 'sum' | 'dimension' | 'ignored' | 'undecided';
  /** The reading of a row in which it came last. */
  stamp = 0;
  readonly #rule: FieldRule;
  #capacity: number;
  #values = new Float64Array(0);
  #scale = 0;
  #codes = new Uint32Array(0);
  readonly #dictionary = new ByteDictionary();
  /** Codes of values that arrived as whole numbers. */
  readonly #wholeNumbers = new Map<number, number>();

  constructor(name: string, { rule, row, capacity }: { rule: FieldRule; row: number; capacity: number }) {
    this.name = name;
    this.nameBytes = Buffer.from(name);
    this.#rule = rule;
    this.#capacity = capacity;
    this.role = 'undecided';
    if (rule.kind === 'ignored') this.role = 'ignored';
    else if (rule.kind === 'count' || rule.kind === 'amount') this.#becomeSum(row);
    else if (rule.kind !== 'unknown') this.#becomeDimension(row);
  }

  /** Makes room for so many rows. */
  grow(capacity: number): void {
    this.#capacity = capacity;
    if (this.role === 'sum') this.#values = new Float64Array(resized(this.#values, capacity));
    if (this.role === 'dimension') this.#codes = new Uint32Array(resized(this.#codes, capacity));
  }

  /** Keeps a JSON number. */
  putNumber(row: number, number: DecimalReader): void {
    const rule = this.#rule;
    if (rule.kind === 'ignored') return;
    if (rule.kind === 'date') throw new Malformed('it is a number and no date (YYYY-MM-DD)');
    if ((rule.kind === 'count' || rule.kind === 'amount') && rule.spelling === 'text')
      throw new Malformed('it is a number and no decimal in a text');
    if (this.role === 'undecided') this.#becomeSum(row);
    if (this.role === 'sum') this.#putUnits(row, number);
    else this.#putNumberAsText(row, number);
  }

  /** Keeps the text that was read last. */
  putText(row: number, { text, textFrom, textTo }: JsonBytes, number: DecimalReader): void {
    const { kind } = this.#rule;
    if (kind === 'ignored') return;
    if (kind === 'count' || kind === 'amount' || kind === 'unknown') {
      if (this.#mayBeNumberInText() && number.readText(text, textFrom, textTo)) {
        if (this.role === 'undecided') this.#becomeSum(row);
        this.#putUnits(row, number);
        return;
      }
      if (kind !== 'unknown') throw this.#noNumber();
      if (textFrom === textTo && this.role !== 'dimension') {
        this.putMissing(row);
        return;
      }
      if (this.role !== 'dimension') this.#becomeDimension(row);
    }
    const before = this.#dictionary.labels.length;
    const code = this.#dictionary.codeOf(text, textFrom, textTo);
    if (kind === 'date' && code === before && !isDate(this.#dictionary.labels[code] ?? ''))
      throw new Malformed('it is no date (YYYY-MM-DD)');
    this.#codes[row] = code;
  }

  /** Keeps `true` or `false`, as a text. */
  putBoolean(row: number, word: 'true' | 'false'): void {
    const { kind } = this.#rule;
    if (kind === 'ignored') return;
    if (kind !== 'unknown') throw new Malformed('it is true or false');
    if (this.role !== 'dimension') this.#becomeDimension(row);
    this.#codes[row] = this.#dictionary.codeOfText(word);
  }

  /** Passes over an object or a list. */
  putNested(row: number): void {
    const { kind } = this.#rule;
    if (kind !== 'unknown' && kind !== 'ignored') throw new Malformed('it is an object or a list');
    this.putMissing(row);
  }

  /** Keeps that a row has no value. */
  putMissing(row: number): void {
    if (this.role === 'sum') this.#values[row] = Number.NaN;
    else if (this.role === 'dimension') this.#codes[row] = this.#dictionary.missing();
  }

  /** Bytes of the distinct texts. */
  get textBytes(): number {
    return this.#dictionary.textBytes;
  }

  /** True for a sum of whole numbers that the contract does not define, which may be an identifier. */
  get mayBeIdentifier(): boolean {
    return this.#rule.kind === 'unknown' && this.role === 'sum' && this.#scale === 0;
  }

  /** Makes a dimension of a sum that the contract does not know. */
  becomeDimension(rowCount: number): void {
    this.#becomeDimension(rowCount);
  }

  /** Hands the column over: the field is of no use afterwards. The same holds for {@link asDimension}. */
  asSum(rowCount: number): SumColumnData {
    const values = new Float64Array(resized(this.#values, rowCount));
    return { id: this.name, scale: this.#scale, values };
  }

  asDimension(rowCount: number): DimensionColumn {
    const codes = new Uint32Array(resized(this.#codes, rowCount));
    this.#dictionary.end();
    return { id: this.name, labels: this.#dictionary.labels, codes };
  }

  #putUnits(row: number, number: DecimalReader): void {
    let { units, decimals } = number;
    const isCount = this.#rule.kind === 'count';
    if (number.tooLarge) throw isCount ? notWhole() : numberTooLarge(this.name, row + 1);
    while (decimals > this.#scale && units % 10 === 0) [units, decimals] = [units / 10, decimals - 1];
    if (isCount && (decimals > 0 || number.rounded)) throw notWhole();
    if (decimals > this.#scale) {
      rescale(this.#values, row, { by: decimals - this.#scale, column: this.name });
      this.#scale = decimals;
    }
    if (decimals < this.#scale) units *= powersOfTen[this.#scale - decimals] as number;
    if (!Number.isSafeInteger(units)) throw numberTooLarge(this.name, row + 1);
    this.#values[row] = units;
  }

  #putNumberAsText(row: number, number: DecimalReader): void {
    const known =
      number.decimals === 0 && !number.tooLarge ? this.#wholeNumbers.get(number.units) : undefined;
    if (known !== undefined) {
      this.#codes[row] = known;
      return;
    }
    if (number.tooLarge) throw numberTooLarge(this.name, row + 1);
    const text = unitsText(number.units, number.decimals);
    if (this.#rule.kind === 'text' && text.includes('.')) throw new Malformed('it is a fraction and no text');
    const code = this.#dictionary.codeOfText(text);
    if (number.decimals === 0) this.#wholeNumbers.set(number.units, code);
    this.#codes[row] = code;
  }

  #mayBeNumberInText(): boolean {
    const rule = this.#rule;
    if (rule.kind === 'unknown') return rule.decimalTexts && this.role !== 'dimension';
    return (rule.kind === 'count' || rule.kind === 'amount') && rule.spelling !== 'json';
  }

  #noNumber(): Malformed {
    const json = 'spelling' in this.#rule && this.#rule.spelling === 'json';
    return new Malformed(json ? 'it is a text and no number' : 'it is no decimal number');
  }

  #becomeSum(row: number): void {
    this.role = 'sum';
    this.#values = new Float64Array(this.#capacity).fill(Number.NaN, 0, row);
  }

  #becomeDimension(row: number): void {
    const codes = new Uint32Array(this.#capacity);
    const wasSum = this.role === 'sum';
    for (let before = 0; before < row; before += 1) {
      const units = wasSum ? (this.#values[before] as number) : Number.NaN;
      codes[before] = Number.isNaN(units)
        ? this.#dictionary.missing()
        : this.#dictionary.codeOfText(unitsText(units, this.#scale));
    }
    this.role = 'dimension';
    this.#codes = codes;
    this.#values = new Float64Array(0);
  }
}

const notWhole = () => new Malformed('it is no whole number within the safe integers');

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
