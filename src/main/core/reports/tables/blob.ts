import { type DimensionColumn, type SumColumnData, type Table, release, maxScale } from './table.ts';
import { crc32 } from 'node:zlib';
import { AppError } from '#shared/errors/index.ts';

const tableBlobVersion = 1;

const magic = 0x43525400 + tableBlobVersion;

/** Bytes per value: 1, 2 or 4 for non-negative integers, whose maximum encodes NaN; 8 for doubles. */
const widths = [1, 2, 4, 8] as const;

/**
 * Encodes a table for a cache, little-endian: version, CRC-32 of the rest, counts of rows, dimensions and sums; each dimension
 * with its name, labels and codes; each sum with its name, scale, width and values.
 */
export function encodeTable(table: Table): Uint8Array {
  const writer = new ByteWriter(expectedBytes(table));
  writer.number(magic);
  writer.number(0);
  for (const count of [table.rowCount, table.dimensions.length, table.sums.length]) writer.number(count);
  for (const { id, labels, codes } of table.dimensions) {
    writer.texts([id]);
    writer.number(labels.length);
    writer.texts(labels);
    writer.numbers(codes.subarray(0, table.rowCount), codeWidth(labels.length));
  }
  for (const { id, scale, values } of table.sums) {
    const used = values.subarray(0, table.rowCount);
    const width = valueWidth(used);
    writer.texts([id]);
    writer.number(scale);
    writer.number(width);
    writer.numbers(used, width);
  }
  return writer.finish();
}

/** Fails with `report_cache_damaged` for bytes that {@link encodeTable} did not write. */
export function decodeTable(bytes: Uint8Array): Table {
  const reader = new ByteReader(bytes);
  if (reader.number() !== magic) throw damagedError('It has another version.');
  if (reader.number() !== reader.checksum()) throw damagedError('Its checksum differs.');
  const [rowCount, dimensionCount, sumCount] = [reader.number(), reader.number(), reader.number()];
  const ids = new Set<string>();
  const named = (before?: SumColumnData): string => {
    const [id] = reader.texts(1);
    const isSecond = before !== undefined && before.id === id && before.scale > 0;
    if (id === null || id === undefined || (ids.has(id) && !isSecond))
      throw damagedError('A column has no name of its own.');
    ids.add(id);
    return id;
  };
  const table: Table = { rowCount, dimensions: [], sums: [] };
  for (let at = 0; at < dimensionCount; at += 1)
    table.dimensions.push(readDimension(reader, named(), rowCount));
  for (let at = 0; at < sumCount; at += 1) {
    const previous = table.sums.at(-1);
    const column = readSum(reader, named(previous), rowCount);
    if (column.id === previous?.id && column.scale !== 0) throw damagedError('A second column has decimals.');
    table.sums.push(column);
  }
  reader.end();
  return table;
}

/** Memory of a table in bytes: exact for columns, estimated for texts. */
export function tableBytes({ dimensions, sums }: Table): number {
  const textOverhead = 24;
  let bytes = 0;
  for (const { values } of sums) bytes += values.byteLength;
  for (const { labels, codes } of dimensions) {
    bytes += codes.byteLength;
    for (const label of labels) bytes += textOverhead + (label?.length ?? 0);
  }
  return bytes;
}

function expectedBytes({ rowCount, dimensions, sums }: Table): number {
  const labels = dimensions.reduce((sum, { labels }) => sum + labels.length, 0);
  return 1_024 + 4 * rowCount * (dimensions.length + sums.length) + 16 * labels;
}

function readDimension(reader: ByteReader, id: string, rowCount: number): DimensionColumn {
  const labelCount = reader.number();
  const labels = reader.texts(labelCount);
  const codes = reader.numbers(new Uint32Array(reader.checkedCount(rowCount)), codeWidth(labelCount));
  for (let row = 0; row < rowCount; row += 1)
    if ((codes[row] as number) >= labelCount) throw damagedError('A row has no label.');
  return { id, labels, codes };
}

function readSum(reader: ByteReader, id: string, rowCount: number): SumColumnData {
  const scale = reader.number();
  const width = reader.number();
  if (scale > maxScale || !widths.some((known) => known === width))
    throw damagedError('A column has no known form.');
  const values = reader.numbers(new Float64Array(reader.checkedCount(rowCount)), width);
  if (width === 8) {
    for (let row = 0; row < rowCount; row += 1) {
      const value = values[row] as number;
      if (!Number.isSafeInteger(value) && !Number.isNaN(value))
        throw damagedError('A value is no safe integer.');
    }
    return { id, scale, values };
  }
  const missing = 2 ** (8 * width) - 1;
  for (let row = 0; row < rowCount; row += 1) if (values[row] === missing) values[row] = Number.NaN;
  return { id, scale, values };
}

function codeWidth(labelCount: number): number {
  return labelCount <= 2 ** 8 ? 1 : labelCount <= 2 ** 16 ? 2 : 4;
}

function valueWidth(values: Float64Array): number {
  let greatest = 0;
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    if (value < 0) return 8;
    if (value > greatest) greatest = value;
  }
  return widths.find((width) => greatest < 2 ** (8 * width) - 1) ?? 8;
}

const missingLength = 0xffff_ffff;
const payloadOffset = 8;
const checksumOffset = 4;

/** Written in the machine's byte order, because every supported machine is little-endian. */
const arrayTypes = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const;

function damagedError(reason: string): AppError {
  return new AppError('report_cache_damaged', { cause: reason });
}

class ByteWriter {
  #bytes: Buffer<ArrayBuffer>;
  #used = 0;

  constructor(expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expectedBytes);
  }

  number(value: number): void {
    this.#makeRoom(4);
    this.#used = this.#bytes.writeUInt32LE(value, this.#used);
  }

  /** Writes all lengths in UTF-16 units, then one joined text, which is read much faster than separate texts. */
  texts(texts: readonly (string | null)[]): void {
    const joined = texts.join('');
    const bytes = Buffer.byteLength(joined);
    const lengths = new Uint32Array(texts.length);
    for (let at = 0; at < lengths.length; at += 1) lengths[at] = texts[at]?.length ?? missingLength;
    this.numbers(lengths, 4);
    this.number(bytes);
    this.#makeRoom(bytes);
    this.#used += this.#bytes.write(joined, this.#used);
  }

  numbers(values: Uint32Array | Float64Array, width: number): void {
    const narrow = new arrayTypes[width as keyof typeof arrayTypes](values.length);
    narrow.set(values);
    if (values instanceof Float64Array && width < 8) {
      const missing = 2 ** (8 * width) - 1;
      for (let at = 0; at < values.length; at += 1) if (Number.isNaN(values[at])) narrow[at] = missing;
    }
    const bytes = new Uint8Array(narrow.buffer);
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#used);
    this.#used += bytes.length;
    release(bytes);
  }

  finish(): Uint8Array {
    const bytes = new Uint8Array(this.#bytes.buffer.transfer(this.#used));
    new DataView(bytes.buffer).setUint32(checksumOffset, crc32(bytes.subarray(payloadOffset)), true);
    return bytes;
  }

  #makeRoom(more: number): void {
    if (this.#used + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#used + more));
    grown.set(this.#bytes.subarray(0, this.#used));
    release(this.#bytes);
    this.#bytes = grown;
  }
}

class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  number(): number {
    return this.#bytes.readUInt32LE(this.#pass(4));
  }

  texts(count: number): (string | null)[] {
    const lengths = this.numbers(new Uint32Array(this.checkedCount(count)), 4);
    const bytes = this.number();
    const from = this.#pass(bytes);
    const joined = this.#bytes.toString('utf8', from, from + bytes);
    const texts: (string | null)[] = [];
    let at = 0;
    for (let index = 0; index < count; index += 1) {
      const length = lengths[index] as number;
      const end = length === missingLength ? at : at + length;
      texts.push(length === missingLength ? null : joined.slice(at, end));
      at = end;
    }
    if (at !== joined.length) throw damagedError('Its texts have other lengths.');
    return texts;
  }

  numbers<T extends Uint32Array | Float64Array>(into: T, width: number): T {
    const from = this.#pass(into.length * width);
    const copy = new Uint8Array(this.#bytes.subarray(from, this.#at));
    into.set(new arrayTypes[width as keyof typeof arrayTypes](copy.buffer));
    release(copy);
    return into;
  }

  /** Fails if the remaining bytes are too few for `count` values, so that a wrong count allocates no memory. */
  checkedCount(count: number): number {
    if (count > this.#bytes.length - this.#at) throw damagedError('It is shorter than its columns.');
    return count;
  }

  checksum(): number {
    return crc32(this.#bytes.subarray(payloadOffset));
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw damagedError('It is longer than its columns.');
  }

  #pass(length: number): number {
    const from = this.#at;
    if (from + length > this.#bytes.length) throw damagedError('It is shorter than its columns.');
    this.#at = from + length;
    return from;
  }
}
