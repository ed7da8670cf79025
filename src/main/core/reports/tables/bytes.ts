import { crc32 } from 'node:zlib';
import { AppError } from '#shared/errors/index.ts';
import { release } from '../table.ts';

/** Length that marks a missing text. */
const missingLength = 0xffff_ffff;
/** Version and checksum precede the bytes that the checksum covers. */
const coveredFrom = 8;
const checksumAt = 4;

/** Numbers of one width, as machines that this runs on keep them: little-endian. */
const arrays = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const;

/** The failure of bytes that are not trusted; `why` is for the log. */
export function damaged(why: string): AppError {
  return new AppError('report_cache_damaged', { cause: why });
}

/** Writes numbers and texts one behind the other. */
export class ByteWriter {
  #bytes: Buffer<ArrayBuffer>;
  #used = 0;

  /** `expectedBytes` saves growing. */
  constructor(expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expectedBytes);
  }

  number(value: number): void {
    this.#makeRoom(4);
    this.#used = this.#bytes.writeUInt32LE(value, this.#used);
  }

  /** Writes texts as their lengths in UTF-16 units and one text of all of them, which is read much quicker than each by itself. */
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

  /** Writes whole numbers in 1, 2 or 4 bytes each, NaN as the greatest one; in 8 bytes unchanged. */
  numbers(values: Uint32Array | Float64Array, width: number): void {
    const narrow = new arrays[width as keyof typeof arrays](values.length);
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

  /** Everything that was written, with its checksum. The writer is of no use afterwards. */
  finish(): Uint8Array {
    const bytes = new Uint8Array(this.#bytes.buffer.transfer(this.#used));
    new DataView(bytes.buffer).setUint32(checksumAt, crc32(bytes.subarray(coveredFrom)), true);
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

/** Reads what a {@link ByteWriter} wrote. Every method fails with `report_cache_damaged` beyond the end. */
export class ByteReader {
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
    if (at !== joined.length) throw damaged('Its texts have other lengths.');
    return texts;
  }

  /** Fills `into` with numbers of a width. */
  numbers<T extends Uint32Array | Float64Array>(into: T, width: number): T {
    const from = this.#pass(into.length * width);
    const own = new Uint8Array(this.#bytes.subarray(from, this.#at));
    into.set(new arrays[width as keyof typeof arrays](own.buffer));
    release(own);
    return into;
  }

  /** The number, if so many values can still follow: nothing is allocated for a number that is wrong. */
  checkedCount(count: number): number {
    if (count > this.#bytes.length - this.#at) throw damaged('It is shorter than its columns.');
    return count;
  }

  /** The checksum of what follows it. */
  checksum(): number {
    return crc32(this.#bytes.subarray(coveredFrom));
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw damaged('It is longer than its columns.');
  }

  #pass(length: number): number {
    const from = this.#at;
    if (from + length > this.#bytes.length) throw damaged('It is shorter than its columns.');
    this.#at = from + length;
    return from;
  }
}
