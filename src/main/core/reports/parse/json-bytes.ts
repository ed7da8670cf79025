import { defaultFormats } from '#shared/lib/formats.ts';

export const charCodes = {
  quote: 34,
  comma: 44,
  colon: 58,
  openList: 91,
  backslash: 92,
  closeList: 93,
  f: 102,
  n: 110,
  t: 116,
  open: 123,
  close: 125,
} as const;

interface NumberReader {
  /** Returns the index after the number, or `-1`. */
  readJson(bytes: Uint8Array, from: number, end: number): number;
}

const maxDepth = 64;

const [space, tab, lineFeed, carriageReturn, letterU] = [32, 9, 10, 13, 117] as const;
const escapes = new Map(
  Object.entries({ '"': 34, '\\': 92, '/': 47, b: 8, f: 12, n: 10, r: 13, t: 9 }).map(
    ([letter, unescaped]) => [letter.charCodeAt(0), unescaped] as const,
  ),
);
const literals = {
  true: Buffer.from('true'),
  false: Buffer.from('false'),
  null: Buffer.from('null'),
} as const;

export class OutOfBytes extends Error {}

/** The answer is not valid JSON. `what` is a clause such as `a comma is missing`. */
export class Malformed extends Error {
  readonly what: string;

  constructor(what: string) {
    super(what);
    this.what = what;
  }
}

/** The answer exceeds a limit. An answer with fewer days may be readable. */
export class TooLarge extends Malformed {}

const outOfBytes = new OutOfBytes();

/**
 * Reads JSON (RFC 8259) from the bytes `at` to `end`. Methods throw {@link OutOfBytes} if the bytes end too early, so that the
 * caller can read the piece again with more bytes, and otherwise {@link Malformed}.
 */
export class JsonBytes {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  end = 0;
  /** UTF-8 bytes of the last string or number, valid until the next read. */
  text: Uint8Array = this.bytes;
  textFrom = 0;
  textTo = 0;
  #scratch = Buffer.allocUnsafeSlow(1024);
  #used = 0;

  skipSpace(): boolean {
    const { bytes, end } = this;
    let { at } = this;
    while (at < end && isSpace(bytes[at] as number)) at += 1;
    this.at = at;
    return at < end;
  }

  /** Returns the next byte that is not white space; `at` is then its index. */
  peekByte(): number {
    const byte = this.at < this.end ? (this.bytes[this.at] as number) : space;
    if (byte > space) return byte;
    if (!this.skipSpace()) throw outOfBytes;
    return this.bytes[this.at] as number;
  }

  expectByte(byte: number): void {
    if (this.peekByte() !== byte) throw new Malformed(`“${String.fromCharCode(byte)}” is missing`);
    this.at += 1;
  }

  readString(maxBytes: number): void {
    const { bytes, end } = this;
    const from = this.at + 1;
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === charCodes.quote) {
        if (at - from > maxBytes) throw tooLong(maxBytes);
        this.text = bytes;
        this.textFrom = from;
        this.textTo = at;
        this.at = at + 1;
        return;
      }
      if (byte < space) throw new Malformed('a text contains a control character');
      if (byte === charCodes.backslash || byte > 127) {
        this.#decode(from, { from: at, maxBytes });
        return;
      }
    }
    if (end - from > maxBytes) throw tooLong(maxBytes);
    throw outOfBytes;
  }

  textString(): string {
    return Buffer.from(this.text.buffer, this.text.byteOffset).toString('utf8', this.textFrom, this.textTo);
  }

  readLiteral(word: keyof typeof literals): void {
    const letters = literals[word];
    for (let at = 0; at < letters.length; at += 1) {
      if (this.at + at >= this.end) throw outOfBytes;
      if (this.bytes[this.at + at] !== letters[at]) throw new Malformed('a value is no JSON');
    }
    this.at += letters.length;
  }

  consumeNumber(to: number): void {
    let after = this.at;
    while (after < this.end && isNumberByte(this.bytes[after] as number)) after += 1;
    // The rest of the number may still arrive.
    if (after === this.end && after > this.at) throw outOfBytes;
    if (to < 0 || to !== after) throw new Malformed('a value is no JSON');
    this.text = this.bytes;
    this.textFrom = this.at;
    this.textTo = to;
    this.at = to;
  }

  #decode(start: number, { from, maxBytes }: { from: number; maxBytes: number }): void {
    const { bytes, end } = this;
    this.#used = 0;
    for (let at = start; at < from; at += 1) this.#put(bytes[at] as number);
    let at = from;
    while (at < end) {
      const byte = bytes[at] as number;
      if (this.#used > maxBytes) throw tooLong(maxBytes);
      if (byte === charCodes.quote) {
        this.text = this.#scratch;
        this.textFrom = 0;
        this.textTo = this.#used;
        this.at = at + 1;
        return;
      }
      if (byte < space) throw new Malformed('a text contains a control character');
      if (byte === charCodes.backslash) at = this.#readEscape(at + 1);
      else at = byte < 128 ? this.#copy(at, 1) : this.#copy(at, this.#sequenceLength(at));
    }
    throw outOfBytes;
  }

  #readEscape(at: number): number {
    if (at >= this.end) throw outOfBytes;
    const letter = this.bytes[at] as number;
    if (letter !== letterU) {
      const unescaped = escapes.get(letter);
      if (unescaped === undefined) throw new Malformed('a text contains an unknown escape');
      this.#put(unescaped);
      return at + 1;
    }
    const first = this.#hexadecimal(at + 1);
    if (first < 0xd800 || first > 0xdfff) {
      this.#putCodePoint(first);
      return at + 5;
    }
    if (first > 0xdbff) throw loneSurrogate();
    if (at + 6 >= this.end) throw outOfBytes;
    if (this.bytes[at + 5] !== charCodes.backslash || this.bytes[at + 6] !== letterU) throw loneSurrogate();
    const second = this.#hexadecimal(at + 7);
    if (second < 0xdc00 || second > 0xdfff) throw loneSurrogate();
    this.#putCodePoint(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
    return at + 11;
  }

  #hexadecimal(at: number): number {
    let value = 0;
    for (let digit = 0; digit < 4; digit += 1) {
      if (at + digit >= this.end) throw outOfBytes;
      const found = Number.parseInt(String.fromCharCode(this.bytes[at + digit] as number), 16);
      if (Number.isNaN(found)) throw new Malformed('a text contains an unknown escape');
      value = value * 16 + found;
    }
    return value;
  }

  /** Returns the length of a UTF-8 sequence (RFC 3629): no overlong forms, no surrogates, no code points above U+10FFFF. */
  #sequenceLength(at: number): number {
    const first = this.bytes[at] as number;
    const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first < 0xc2 || first > 0xf4) throw notUtf8();
    for (let next = 1; next < length; next += 1) {
      if (at + next >= this.end) throw outOfBytes;
      const byte = this.bytes[at + next] as number;
      const low = next > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
      const high = next > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
      if (byte < low || byte > high) throw notUtf8();
    }
    return length;
  }

  #copy(at: number, length: number): number {
    for (let next = 0; next < length; next += 1) this.#put(this.bytes[at + next] as number);
    return at + length;
  }

  #put(byte: number): void {
    if (this.#used === this.#scratch.length) {
      const grown = Buffer.allocUnsafeSlow(2 * this.#scratch.length);
      grown.set(this.#scratch);
      this.#scratch = grown;
    }
    this.#scratch[this.#used] = byte;
    this.#used += 1;
  }

  #putCodePoint(codePoint: number): void {
    for (const byte of Buffer.from(String.fromCodePoint(codePoint))) this.#put(byte);
  }
}

function isSpace(byte: number): boolean {
  return byte === space || byte === lineFeed || byte === tab || byte === carriageReturn;
}

function isNumberByte(byte: number): boolean {
  return (
    (byte >= 48 && byte <= 57) || byte === 43 || byte === 45 || byte === 46 || byte === 69 || byte === 101
  );
}

const tooLong = (maxBytes: number) =>
  new Malformed(`a text is longer than ${defaultFormats.count(maxBytes)} bytes`);
const loneSurrogate = () => new Malformed('a text contains half of a surrogate pair');
const notUtf8 = () => new Malformed('a text is not valid UTF-8');

/** Skips a value, but checks its syntax, texts, depth and duplicate members. */
export function skipValue(
  json: JsonBytes,
  { decimals, depth }: { decimals: NumberReader; depth: number },
): void {
  switch (json.peekByte()) {
    case charCodes.quote:
      json.readString(Infinity);
      return;
    case charCodes.open:
      skipObject(json, { decimals, depth });
      return;
    case charCodes.openList:
      skipList(json, { decimals, depth });
      return;
    case charCodes.t:
      json.readLiteral('true');
      return;
    case charCodes.f:
      json.readLiteral('false');
      return;
    case charCodes.n:
      json.readLiteral('null');
      return;
    default:
      json.consumeNumber(decimals.readJson(json.bytes, json.at, json.end));
  }
}

function skipObject(json: JsonBytes, { decimals, depth }: { decimals: NumberReader; depth: number }): void {
  enterNested(json, depth);
  const seen = new Set<string>();
  if (json.peekByte() === charCodes.close) {
    json.at += 1;
    return;
  }
  for (;;) {
    if (json.peekByte() !== charCodes.quote) throw new Malformed('a name of a member is missing');
    json.readString(Infinity);
    const name = json.textString();
    if (seen.has(name)) throw new Malformed('an object inside it has a member twice');
    seen.add(name);
    json.expectByte(charCodes.colon);
    skipValue(json, { decimals, depth: depth + 1 });
    if (json.peekByte() === charCodes.close) break;
    json.expectByte(charCodes.comma);
  }
  json.at += 1;
}

function skipList(json: JsonBytes, { decimals, depth }: { decimals: NumberReader; depth: number }): void {
  enterNested(json, depth);
  if (json.peekByte() === charCodes.closeList) {
    json.at += 1;
    return;
  }
  for (;;) {
    skipValue(json, { decimals, depth: depth + 1 });
    if (json.peekByte() === charCodes.closeList) break;
    json.expectByte(charCodes.comma);
  }
  json.at += 1;
}

function enterNested(json: JsonBytes, depth: number): void {
  if (depth > maxDepth) throw new Malformed(`it is nested deeper than ${maxDepth} levels`);
  json.at += 1;
}
