import {
  resizeBuffer,
  type DimensionColumn,
  type SumColumnData,
  canRescale,
  moveWholes,
  numberTooLarge,
  powersOfTen,
  rescale,
  unitsText,
} from '../tables/table.ts';
import { ByteDictionary } from './byte-dictionary.ts';
import type { DecimalReader } from './decimal-reader.ts';
import type { FieldRule } from './field-rules.ts';
import { type JsonBytes, Malformed } from './json-bytes.ts';
import { isDate } from '#shared/lib/date-text.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const [zero, nine, minus] = [48, 57, 45] as const;

/**
 * A field of the rows as a growing column. A field outside the contract is `undecided` until its first value: a number makes a
 * `sum`, a text a `dimension`. A text among numbers turns the sum into a dimension. Numbers with leading zeros, or beyond the
 * safe integers, are identifiers: texts as the service wrote them. Sums of the contract store too large whole numbers in a second
 * column.
 */
export class RowField {
  readonly name: string;
  readonly nameBytes: Uint8Array;
  role: 'sum' | 'dimension' | 'ignored' | 'undecided';
  stamp = 0;
  readonly #rule: FieldRule;
  readonly #textBytes: number;
  #capacity: number;
  #values = new Float64Array(0);
  #scale = 0;
  #wholes: Float64Array | null = null;
  #codes = new Uint32Array(0);
  readonly #dictionary = new ByteDictionary();
  readonly #wholeNumbers = new Map<number, number>();

  constructor(
    name: string,
    { rule, row, capacity, textBytes }: { rule: FieldRule; row: number; capacity: number; textBytes: number },
  ) {
    this.name = name;
    this.nameBytes = Buffer.from(name);
    this.#rule = rule;
    this.#capacity = capacity;
    this.#textBytes = textBytes;
    this.role = 'undecided';
    if (rule.kind === 'ignored') this.role = 'ignored';
    else if (rule.kind === 'count' || rule.kind === 'amount') this.#becomeSum(row);
    else if (rule.kind !== 'unknown') this.becomeDimension(row);
  }

  grow(capacity: number): void {
    this.#capacity = capacity;
    if (this.role === 'sum') this.#values = new Float64Array(resizeBuffer(this.#values, capacity));
    if (this.#wholes !== null) this.#wholes = new Float64Array(resizeBuffer(this.#wholes, capacity));
    if (this.role === 'dimension') this.#codes = new Uint32Array(resizeBuffer(this.#codes, capacity));
  }

  putNumber(row: number, json: JsonBytes, number: DecimalReader): void {
    const rule = this.#rule;
    if (rule.kind === 'ignored') return;
    if (rule.kind === 'date') throw new Malformed('it is a number and no date (YYYY-MM-DD)');
    if ((rule.kind === 'count' || rule.kind === 'amount') && rule.spelling === 'text')
      throw new Malformed('it is a number and no decimal in a text');
    if (this.role === 'undecided') this.#becomeSum(row);
    if (this.role === 'sum') this.#putUnits(row, json, number);
    else this.#putNumberAsText(row, json, number);
  }

  putText(row: number, json: JsonBytes, number: DecimalReader): void {
    const { kind } = this.#rule;
    const { text, textFrom, textTo } = json;
    if (kind === 'ignored') return;
    if (textFrom === textTo && this.#emptyIsMissing()) {
      this.putMissing(row);
      return;
    }
    if (kind === 'count' || kind === 'amount' || kind === 'unknown') {
      if (this.#mayBeNumberInText(json) && number.readText(text, textFrom, textTo)) {
        if (this.role === 'undecided') this.#becomeSum(row);
        this.#putUnits(row, json, number);
        return;
      }
      if (kind !== 'unknown') throw this.#noNumber();
      if (this.role !== 'dimension') this.becomeDimension(row);
    }
    const before = this.#dictionary.labels.length;
    const code = this.#dictionary.codeOf(text, textFrom, textTo);
    if (kind === 'date' && code === before && !isDate(this.#dictionary.labels[code] ?? ''))
      throw new Malformed('it is no date (YYYY-MM-DD)');
    this.#codes[row] = code;
  }

  putBoolean(row: number, word: 'true' | 'false'): void {
    const { kind } = this.#rule;
    if (kind === 'ignored') return;
    if (kind !== 'unknown') throw new Malformed('it is true or false');
    if (this.role !== 'dimension') this.becomeDimension(row);
    this.#codes[row] = this.#dictionary.codeOfText(word);
  }

  putNested(row: number): void {
    const { kind } = this.#rule;
    if (kind !== 'unknown' && kind !== 'ignored') throw new Malformed('it is an object or a list');
    this.putMissing(row);
  }

  putMissing(row: number): void {
    if (this.role === 'sum') this.#put(row, Number.NaN);
    else if (this.role === 'dimension') this.#codes[row] = this.#dictionary.missingCode();
  }

  get textBytes(): number {
    return this.#dictionary.textBytes;
  }

  /** True for a sum of whole numbers outside the contract. */
  get mayBeIdentifier(): boolean {
    return this.#rule.kind === 'unknown' && this.role === 'sum' && this.#scale === 0;
  }

  /** Transfers the column's memory. The field is unusable afterwards, also after {@link toDimensionColumn}. */
  toSumColumns(rowCount: number): SumColumnData[] {
    const values = new Float64Array(resizeBuffer(this.#values, rowCount));
    const column = { id: this.name, scale: this.#scale, values };
    if (this.#wholes === null) return [column];
    const wholes = new Float64Array(resizeBuffer(this.#wholes, rowCount));
    return [column, { id: this.name, scale: 0, values: wholes }];
  }

  toDimensionColumn(rowCount: number): DimensionColumn {
    const codes = new Uint32Array(resizeBuffer(this.#codes, rowCount));
    this.#dictionary.releaseBuffers();
    return { id: this.name, labels: this.#dictionary.labels, codes };
  }

  #putUnits(row: number, json: JsonBytes, number: DecimalReader): void {
    let { units, decimals } = number;
    const { kind } = this.#rule;
    while (decimals > this.#scale && units % 10 === 0) [units, decimals] = [units / 10, decimals - 1];
    if (kind === 'count' && (number.isTooLarge || decimals > 0 || number.isRounded)) throw notWholeError();
    const scale = Math.max(decimals, this.#scale);
    const scaledUnits = units * (powersOfTen[scale - decimals] as number);
    const fits = !number.isTooLarge && Number.isSafeInteger(scaledUnits);
    const addedDecimals = scale - this.#scale;
    if (
      kind === 'unknown' &&
      !(fits && (addedDecimals === 0 || canRescale(this.#values, row, addedDecimals)))
    ) {
      this.becomeDimension(row);
      this.#putExactly(row, json);
      return;
    }
    if (addedDecimals > 0 && !canRescale(this.#values, row, addedDecimals)) {
      moveWholes(this.#values, this.#withWholes(row), { count: row, scale: this.#scale });
    }
    if (addedDecimals > 0) rescale(this.#values, row, addedDecimals);
    this.#scale = scale;
    this.#put(row, scaledUnits);
    if (!fits) this.#putLarge(row, { units, decimals, whole: number.isTooLarge ? number.whole : 0 });
  }

  #put(row: number, units: number): void {
    this.#values[row] = units;
    if (this.#wholes !== null) this.#wholes[row] = Number.NaN;
  }

  #putLarge(
    row: number,
    { units, decimals, whole }: Pick<DecimalReader, 'units' | 'decimals' | 'whole'>,
  ): void {
    const unit = powersOfTen[decimals] as number;
    const more = Math.trunc(units / unit);
    const wholeNumber = whole + more;
    // Splitting off the whole number needs decimals in the first column and an exact whole number.
    if (!Number.isSafeInteger(wholeNumber) || this.#scale === 0) throw numberTooLarge(this.name, row + 1);
    this.#withWholes(row)[row] = wholeNumber;
    this.#values[row] = (units - more * unit) * (powersOfTen[this.#scale - decimals] as number);
  }

  #withWholes(row: number): Float64Array {
    this.#wholes ??= new Float64Array(this.#capacity).fill(Number.NaN, 0, row);
    return this.#wholes;
  }

  #putNumberAsText(row: number, json: JsonBytes, number: DecimalReader): void {
    const unit = powersOfTen[number.decimals] as number;
    const isWhole = number.units % unit === 0 && !number.isTooLarge && !number.isRounded;
    const known = isWhole ? this.#wholeNumbers.get(number.units / unit) : undefined;
    if (known !== undefined) {
      this.#codes[row] = known;
      return;
    }
    const isStrict = this.#rule.kind === 'text' && !this.#rule.open;
    if (isStrict && !isWhole && (number.decimals > 0 || number.isRounded))
      throw new Malformed('it is a fraction and no text');
    if (number.isTooLarge || number.isRounded) {
      this.#putExactly(row, json);
      return;
    }
    const code = this.#dictionary.codeOfText(unitsText(number.units, number.decimals));
    if (isWhole) this.#wholeNumbers.set(number.units / unit, code);
    this.#codes[row] = code;
  }

  #putExactly(row: number, { text, textFrom, textTo }: JsonBytes): void {
    if (textTo - textFrom > this.#textBytes)
      throw new Malformed(`a number is longer than ${defaultFormats.count(this.#textBytes)} bytes`);
    this.#codes[row] = this.#dictionary.codeOf(text, textFrom, textTo);
  }

  #emptyIsMissing(): boolean {
    const rule = this.#rule;
    if (rule.kind === 'unknown') return this.role !== 'dimension';
    return 'open' in rule && rule.open && rule.kind !== 'text';
  }

  #mayBeNumberInText({ text, textFrom, textTo }: JsonBytes): boolean {
    const rule = this.#rule;
    if (rule.kind !== 'unknown') return 'spelling' in rule && rule.spelling !== 'json';
    return rule.decimalTexts && this.role !== 'dimension' && !hasLeadingZeros(text, textFrom, textTo);
  }

  #noNumber(): Malformed {
    const json = 'spelling' in this.#rule && this.#rule.spelling === 'json';
    return new Malformed(json ? 'it is a text and no number' : 'it is no decimal number');
  }

  #becomeSum(row: number): void {
    this.role = 'sum';
    this.#values = new Float64Array(this.#capacity).fill(Number.NaN, 0, row);
  }

  becomeDimension(row: number): void {
    const codes = new Uint32Array(this.#capacity);
    const wasSum = this.role === 'sum';
    for (let before = 0; before < row; before += 1) {
      const units = wasSum ? (this.#values[before] as number) : Number.NaN;
      codes[before] = Number.isNaN(units)
        ? this.#dictionary.missingCode()
        : this.#dictionary.codeOfText(unitsText(units, this.#scale));
    }
    this.role = 'dimension';
    this.#codes = codes;
    this.#values = new Float64Array(0);
  }
}

/** True for `00123` or `-007.5`, but not for `0` or `0.5`. */
function hasLeadingZeros(text: Uint8Array, from: number, to: number): boolean {
  const first = text[from] === minus ? from + 1 : from;
  const second = text[first + 1];
  return first + 1 < to && text[first] === zero && second !== undefined && second >= zero && second <= nine;
}

const notWholeError = () => new Malformed('it is no whole number within the safe integers');
