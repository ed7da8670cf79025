import { AppError } from '#shared/errors/index.ts';
import type { Table } from '../tables/table.ts';
import { DecimalReader } from './decimal-reader.ts';
import type { ReportShape } from '../worker/messages.ts';
import { bytesText, type ReportLimits, reportLimits } from './field-rules.ts';
import { JsonBytes, Malformed, OutOfBytes, charCodes, TooLarge, skipValue } from './json-bytes.ts';
import { RowReader } from './row-reader.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

const initialBufferBytes = 64 * 1024;

type ParserState =
  'start' | 'first-member' | 'member' | 'after-member' | 'first-row' | 'row' | 'after-row' | 'end';

/**
 * Parses a report answer from chunks of any size (contract §2.1, §4.2). Reads an incomplete row or member again when twice as
 * many bytes have arrived. Fails with `service_answer_unreadable`, `report_too_large` or `number_too_large`; the parser is
 * unusable afterwards.
 */
export class ReportParser {
  readonly #json = new JsonBytes();
  readonly #rows: RowReader;
  readonly #limits: ReportLimits;
  readonly #members = new Set<string>();
  readonly #decimals = new DecimalReader();
  #buffer = new Uint8Array(initialBufferBytes);
  #place: ParserState = 'start';
  #member: string | null = null;
  #receivedBytes = 0;
  #failedBytes = 0;

  constructor(shape: ReportShape, limits: ReportLimits = reportLimits) {
    this.#limits = limits;
    this.#rows = new RowReader(this.#json, shape, limits);
  }

  get rowCount(): number {
    return this.#rows.rowCount;
  }

  /** Copies the chunk, so the caller may reuse it. */
  push(chunk: Uint8Array): void {
    this.#receivedBytes += chunk.length;
    const { bytes } = this.#limits;
    if (this.#receivedBytes > bytes)
      throw tooLarge(sentence`The report is larger than ${ownWords(bytesText(bytes))}.`);
    this.#append(chunk);
    const json = this.#json;
    if (json.end - json.at < 2 * this.#failedBytes) return;
    this.#readPieces();
  }

  finish(): Table {
    this.#readPieces();
    const { rowCount } = this;
    if (this.#place !== 'end') {
      const after = rowCount === 0 ? '' : `, after row ${rowCount}`;
      throw unreadable(sentence`The report ends before it is complete${ownWords(after)}.`);
    }
    for (const member of ['status', 'data', 'message'])
      if (!this.#members.has(member))
        throw unreadable(sentence`The answer of the service has no “${ownWords(member)}”.`);
    return this.#rows.table();
  }

  #append(chunk: Uint8Array): void {
    const json = this.#json;
    const waiting = json.end - json.at;
    if (waiting + chunk.length > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(waiting + chunk.length, 2 * this.#buffer.length));
      grown.set(this.#buffer.subarray(json.at, json.end));
      this.#buffer = grown;
      json.at = 0;
    } else if (json.end + chunk.length > this.#buffer.length) {
      this.#buffer.copyWithin(0, json.at, json.end);
      json.at = 0;
    }
    this.#buffer.set(chunk, json.at + waiting);
    json.bytes = this.#buffer;
    json.end = json.at + waiting + chunk.length;
  }

  #readPieces(): void {
    const json = this.#json;
    while (json.skipSpace()) {
      const pieceAt = json.at;
      try {
        this.#place = this.#readPiece(this.#place);
        this.#failedBytes = 0;
      } catch (error) {
        if (error instanceof TooLarge) throw tooLarge(sentence`${ownWords(capitalize(error.what))}.`);
        if (error instanceof Malformed) throw this.#explained(error);
        if (!(error instanceof OutOfBytes)) throw error;
        json.at = pieceAt;
        this.#failedBytes = json.end - pieceAt;
        const { pieceBytes } = this.#limits;
        if (this.#failedBytes <= pieceBytes) return;
        throw this.#explained(new Malformed(`it is larger than ${bytesText(pieceBytes)}`));
      }
    }
  }

  #readPiece(place: ParserState): ParserState {
    const json = this.#json;
    const byte = json.peekByte();
    switch (place) {
      case 'start':
        // A byte order mark is ignored (RFC 8259 §8.1).
        if (byte === byteOrderMark[0]) for (const one of byteOrderMark) json.expectByte(one);
        json.expectByte(charCodes.open);
        return 'first-member';
      case 'first-member':
      case 'member':
        if (place === 'member' || byte !== charCodes.close) return this.#readMember();
        json.at += 1;
        return 'end';
      case 'after-member':
        if (byte !== charCodes.close) json.expectByte(charCodes.comma);
        else json.at += 1;
        return byte === charCodes.close ? 'end' : 'member';
      case 'first-row':
      case 'row':
        if (place === 'row' || byte !== charCodes.closeList) return this.#readRow();
        json.at += 1;
        return 'after-member';
      case 'after-row':
        if (byte !== charCodes.closeList) json.expectByte(charCodes.comma);
        else json.at += 1;
        return byte === charCodes.closeList ? 'after-member' : 'row';
      case 'end':
        throw new Malformed('there is more after its end');
    }
  }

  #readRow(): ParserState {
    const { rows } = this.#limits;
    if (this.#rows.rowCount === rows)
      throw new TooLarge(`the report has more than ${defaultFormats.count(rows)} rows`);
    this.#rows.readRow();
    return 'after-row';
  }

  #readMember(): ParserState {
    const json = this.#json;
    this.#member = null;
    if (json.peekByte() !== charCodes.quote) throw new Malformed('the name of a member is missing');
    json.readString(this.#limits.textBytes);
    const name = json.textString();
    this.#member = name;
    if (this.#members.has(name)) throw new Malformed('it is there twice');
    const { columns } = this.#limits;
    if (this.#members.size === columns) throw new Malformed(`there are more than ${columns} members`);
    json.expectByte(charCodes.colon);
    const first = json.peekByte();
    if (name === 'data') {
      if (first !== charCodes.openList) throw new Malformed('it is no list');
      json.at += 1;
    } else if (name === 'status' || name === 'message') {
      if (first !== charCodes.quote) throw new Malformed('it is no text');
      json.readString(this.#limits.textBytes);
      if (name === 'status' && json.textString() !== 'success') throw new Malformed('it is not “success”');
    } else skipValue(json, { decimals: this.#decimals, depth: 2 });
    this.#members.add(name);
    this.#member = null;
    return name === 'data' ? 'first-row' : 'after-member';
  }

  #explained({ what }: Malformed): AppError {
    const inRows = this.#place === 'first-row' || this.#place === 'row' || this.#place === 'after-row';
    if (!inRows)
      return unreadable(
        this.#member === null
          ? sentence`The answer of the service: ${ownWords(what)}.`
          : sentence`Member ${this.#member}: ${ownWords(what)}.`,
      );
    const { field } = this.#rows;
    const row = this.rowCount + (this.#place === 'after-row' ? 0 : 1);
    if (this.#place === 'after-row')
      return unreadable(sentence`After row ${row}: ${ownWords(what)}.`, { row });
    const place = field === null ? sentence`Row ${row}` : sentence`Row ${row}, field ${field}`;
    return unreadable(sentence`${ownWords(place)}: ${ownWords(what)}.`, { row, field });
  }
}

const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

const capitalize = (clause: string): string => clause.charAt(0).toUpperCase() + clause.slice(1);

const tooLarge = (message: Sentence): AppError => new AppError('report_too_large', { message });

function unreadable(message: Sentence, data: Record<string, string | number | null> = {}): AppError {
  return new AppError('service_answer_unreadable', { message, data });
}
