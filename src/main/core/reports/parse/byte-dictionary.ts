import { release } from '../tables/table.ts';

const initialCodes = 64;
const initialBytes = 1024;

/** Assigns codes to texts by their UTF-8 bytes, so that a known text creates no string. */
export class ByteDictionary {
  readonly labels: (string | null)[] = [];
  #bytes = Buffer.allocUnsafeSlow(initialBytes);
  #used = 0;
  #starts = new Uint32Array(initialCodes);
  #lengths = new Uint32Array(initialCodes);
  #hashes = new Int32Array(initialCodes);
  /** Hash table of codes plus one, so that 0 marks a free slot. The length is a power of two, at most half full. */
  #slots = new Uint32Array(2 * initialCodes);
  #missing = -1;
  #last = -1;

  get textBytes(): number {
    return this.#used;
  }

  codeOf(bytes: Uint8Array, from: number, to: number): number {
    if (this.#last >= 0 && this.#isText(this.#last, bytes, from, to)) return this.#last;
    let hash = to - from;
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash ^= hash >>> 13;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let code = this.#codeAt(slot); code >= 0; code = this.#codeAt(slot)) {
      if (this.#hashes[code] === hash && this.#isText(code, bytes, from, to)) return (this.#last = code);
      slot = (slot + 1) & mask;
    }
    return (this.#last = this.#add(hash, bytes.subarray(from, to)));
  }

  codeOfText(text: string): number {
    const bytes = Buffer.from(text);
    return this.codeOf(bytes, 0, bytes.length);
  }

  missingCode(): number {
    if (this.#missing < 0) {
      this.#missing = this.labels.length;
      this.labels.push(null);
      this.#growCodes();
    }
    return this.#missing;
  }

  /** Releases all memory except the labels. The dictionary is unusable afterwards. */
  releaseBuffers(): void {
    for (const array of [this.#bytes, this.#starts, this.#lengths, this.#hashes, this.#slots]) release(array);
  }

  #codeAt(slot: number): number {
    return (this.#slots[slot] as number) - 1;
  }

  #isText(code: number, bytes: Uint8Array, from: number, to: number): boolean {
    const length = to - from;
    if (this.#lengths[code] !== length) return false;
    const start = this.#starts[code] as number;
    const own = this.#bytes;
    for (let at = 0; at < length; at += 1) if (own[start + at] !== bytes[from + at]) return false;
    return true;
  }

  #add(hash: number, text: Uint8Array): number {
    const code = this.labels.length;
    if (this.#used + text.length > this.#bytes.length) this.#growBytes(text.length);
    this.#bytes.set(text, this.#used);
    this.labels.push(this.#bytes.toString('utf8', this.#used, this.#used + text.length));
    this.#growCodes();
    this.#starts[code] = this.#used;
    this.#lengths[code] = text.length;
    this.#hashes[code] = hash;
    this.#used += text.length;
    this.#place(code);
    return code;
  }

  #place(code: number): void {
    const mask = this.#slots.length - 1;
    let slot = (this.#hashes[code] as number) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = code + 1;
  }

  #growBytes(more: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#used + more));
    grown.set(this.#bytes.subarray(0, this.#used));
    release(this.#bytes);
    this.#bytes = grown;
  }

  #growCodes(): void {
    const count = this.labels.length;
    if (count <= this.#starts.length) return;
    const size = 2 * this.#starts.length;
    this.#starts = growInto(this.#starts, new Uint32Array(size));
    this.#lengths = growInto(this.#lengths, new Uint32Array(size));
    this.#hashes = growInto(this.#hashes, new Int32Array(size));
    release(this.#slots);
    this.#slots = new Uint32Array(2 * size);
    for (let code = 0; code < count - 1; code += 1) if (code !== this.#missing) this.#place(code);
  }
}

function growInto<T extends Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>>(from: T, to: T): T {
  to.set(from);
  release(from);
  return to;
}
