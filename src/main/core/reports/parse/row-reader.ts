import { reportDimensions } from '#shared/reports/index.ts';
import type { Table } from '../tables/table.ts';
import type { ReportShape } from '../worker/messages.ts';
import { DecimalReader } from './decimal-reader.ts';
import { fieldRules, openDimension, type FieldRule, bytesText, type ReportLimits } from './field-rules.ts';
import { type JsonBytes, Malformed, charCodes, TooLarge, skipValue } from './json-bytes.ts';
import { RowField } from './row-field.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const initialCapacity = 1_024;
const rowsBetweenChecks = 1_024;
/** The envelope is at depth 1, `data` at depth 2. */
const rowDepth = 3;

export class RowReader {
  rowCount = 0;
  field: string | null = null;
  readonly #json: JsonBytes;
  readonly #shape: ReportShape;
  readonly #limits: ReportLimits;
  readonly #ruleOf: (name: string) => FieldRule;
  readonly #fields: RowField[] = [];
  readonly #byName = new Map<string, RowField>();
  /** Fields in the order of the last row, because most rows have the same order. */
  readonly #order: RowField[] = [];
  readonly #decimals = new DecimalReader();
  #capacity = 0;
  #stamp = 0;

  constructor(json: JsonBytes, shape: ReportShape, limits: ReportLimits) {
    this.#json = json;
    this.#shape = shape;
    this.#limits = limits;
    this.#ruleOf = fieldRules(shape);
  }

  /** Throws if the bytes end too early. The next call then reads the complete row again. */
  readRow(): void {
    const json = this.#json;
    this.field = null;
    if (json.peekByte() !== charCodes.open) throw new Malformed('it is no object');
    json.at += 1;
    if (this.rowCount % rowsBetweenChecks === 0) this.#checkSize();
    if (this.rowCount === this.#capacity) this.#grow();
    this.#stamp += 1;
    let count = 0;
    if (json.peekByte() !== charCodes.close) {
      for (;;) {
        this.#readMember(count);
        count += 1;
        if (json.peekByte() === charCodes.close) break;
        json.expectByte(charCodes.comma);
      }
    }
    json.at += 1;
    this.field = null;
    if (count < this.#fields.length) this.#putMissing();
    this.rowCount += 1;
  }

  table(): Table {
    const expectedId = openDimension(this.#shape);
    const renamedField = expectedId === null || this.#byName.has(expectedId) ? null : this.#openDimension();
    const toTable: Table = { rowCount: this.rowCount, dimensions: [], sums: [] };
    for (const field of this.#fields) {
      if (field.role === 'sum') toTable.sums.push(...field.toSumColumns(this.rowCount));
      if (field.role !== 'dimension') continue;
      const column = field.toDimensionColumn(this.rowCount);
      toTable.dimensions.push(
        field === renamedField && expectedId !== null ? { ...column, id: expectedId } : column,
      );
    }
    return toTable;
  }

  #readMember(position: number): void {
    const json = this.#json;
    if (json.peekByte() !== charCodes.quote) throw new Malformed('the name of a field is missing');
    const field = this.#fieldAt(position);
    this.field = field.name;
    if (field.stamp === this.#stamp) throw new Malformed('it is there twice');
    field.stamp = this.#stamp;
    json.expectByte(charCodes.colon);
    this.#readValue(field);
    this.field = null;
  }

  #readValue(field: RowField): void {
    const json = this.#json;
    const row = this.rowCount;
    switch (json.peekByte()) {
      case charCodes.quote:
        json.readString(this.#limits.textBytes);
        field.putText(row, json, this.#decimals);
        return;
      case charCodes.open:
      case charCodes.openList:
        skipValue(json, { decimals: this.#decimals, depth: rowDepth + 1 });
        field.putNested(row);
        return;
      case charCodes.t:
        json.readLiteral('true');
        field.putBoolean(row, 'true');
        return;
      case charCodes.f:
        json.readLiteral('false');
        field.putBoolean(row, 'false');
        return;
      case charCodes.n:
        json.readLiteral('null');
        field.putMissing(row);
        return;
      default:
        json.consumeNumber(this.#decimals.readJson(json.bytes, json.at, json.end));
        field.putNumber(row, json, this.#decimals);
    }
  }

  #fieldAt(position: number): RowField {
    const json = this.#json;
    const expected = this.#order[position];
    if (expected !== undefined && this.#passName(expected.nameBytes)) return expected;
    json.readString(this.#limits.nameBytes);
    const name = json.textString();
    const field = this.#byName.get(name) ?? this.#addField(name);
    this.#order[position] = field;
    return field;
  }

  #passName(name: Uint8Array): boolean {
    const json = this.#json;
    const { bytes } = json;
    const from = json.at + 1;
    const { length } = name;
    if (from + length >= json.end || bytes[from + length] !== charCodes.quote) return false;
    for (let letter = 0; letter < length; letter += 1)
      if (bytes[from + letter] !== name[letter]) return false;
    json.at = from + length + 1;
    return true;
  }

  #addField(name: string): RowField {
    const { columns } = this.#limits;
    if (this.#fields.length === columns) throw new Malformed(`the rows have more than ${columns} fields`);
    const rule = this.#ruleOf(name);
    const field = new RowField(name, {
      rule,
      row: this.rowCount,
      capacity: this.#capacity,
      textBytes: this.#limits.textBytes,
    });
    this.#fields.push(field);
    this.#byName.set(name, field);
    return field;
  }

  #putMissing(): void {
    for (const field of this.#fields) if (field.stamp !== this.#stamp) field.putMissing(this.rowCount);
  }

  #grow(): void {
    const capacity = Math.max(initialCapacity, 2 * this.#capacity);
    this.#capacity = capacity;
    for (const field of this.#fields) field.grow(capacity);
  }

  #checkSize(): void {
    const { cells, distinctTextBytes } = this.#limits;
    if (this.rowCount * this.#fields.length > cells)
      throw new TooLarge(`the report has more than ${defaultFormats.count(cells)} values`);
    if (this.#fields.reduce((sum, field) => sum + field.textBytes, 0) > distinctTextBytes)
      throw new TooLarge(`the report has more than ${bytesText(distinctTextBytes)} of different texts`);
  }

  /** The first text column outside the contract; if none, the first other column, if it contains whole numbers. */
  #openDimension(): RowField | null {
    const known = reportDimensions[this.#shape.kind];
    const others = this.#fields.filter(({ name }) => !known.includes(name));
    const text = others.find((field) => field.role === 'dimension');
    if (text !== undefined) return text;
    const [first] = others;
    if (first === undefined || !first.mayBeIdentifier) return null;
    first.becomeDimension(this.rowCount);
    return first;
  }
}
