import { inertText } from '../inert-text.ts';
import type { JsonValue } from './json-value.ts';

export type JsonRefusalCode =
  | 'json_invalid'
  | 'json_duplicate_key'
  | 'json_forbidden_key'
  | 'json_number_inexact'
  | 'json_lone_surrogate'
  | 'json_too_deep'
  | 'json_too_large';

/**
 * Thrown for JSON that cannot be represented exactly. `path` names the place, for example `geo[2]`; it is empty for the
 * top.
 */
export class JsonRefusal extends Error {
  readonly code: JsonRefusalCode;
  readonly path: string;
  readonly what: string;

  constructor(code: JsonRefusalCode, path: string, what: string) {
    super(path === '' ? what : `${what} (at ${path})`);
    this.name = 'JsonRefusal';
    this.code = code;
    this.path = path;
    this.what = what;
  }
}

/** Max nesting depth. The top value is level 1. */
export const maxJsonDepth = 64;

/** Limits on the size of one JSON text, because later steps visit every member. */
export interface JsonSizeLimits {
  maxValues: number;
  maxMembers: number;
}

/**
 * `decimal` accepts only numbers whose shortest double text has their value (RFC 8785 §3.2.2.3). `double` also accepts
 * `0.57999999999999996`.
 */
export type JsonNumbers = 'decimal' | 'double';

const unlimited: JsonSizeLimits = { maxValues: Infinity, maxMembers: Infinity };

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const codes = {
  quote: 34,
  comma: 44,
  colon: 58,
  backslash: 92,
  openList: 91,
  closeList: 93,
  open: 123,
  close: 125,
  t: 116,
  f: 102,
  n: 110,
};

/**
 * Refuses duplicate keys, `__proto__`, inexact numbers, lone surrogates and deep nesting (RFC 8785). Throws
 * {@link JsonRefusal}, which names the path.
 */
export function readStrictJson(
  text: string,
  limits: JsonSizeLimits = unlimited,
  numbers: JsonNumbers = 'decimal',
): JsonValue {
  const plain = isSmall(text, limits) ? readPlainJson(text) : undefined;
  if (plain !== undefined) return plain;
  new StrictReader(text, limits, numbers).document();
  // Slices of the text would keep the complete text in memory as long as any value is alive.
  return JSON.parse(text) as JsonValue;
}

/** Longer texts are read by {@link StrictReader} at once, because `JSON.parse` takes long for a deeply nested text. */
const maxPlainLength = 65_536;

/** True if a text of this length cannot reach the limits: each value takes at least two characters. */
function isSmall({ length }: string, { maxValues, maxMembers }: JsonSizeLimits): boolean {
  return length <= Math.min(maxPlainLength, 2 * maxValues, 2 * maxMembers);
}

/**
 * Texts that the strict reader must refuse although `JSON.stringify` repeats them unchanged: the key `__proto__`, and escapes
 * of lone surrogates.
 */
const unwanted = /__proto__|\\ud/;

/**
 * Reads a text that `JSON.stringify` would write in the same way, as most services do: then no key is lost and no number is
 * rounded. Undefined for any other text. Several times as fast as {@link StrictReader}.
 */
function readPlainJson(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    const isPlain = !isDeeper(value, maxJsonDepth) && JSON.stringify(value) === text && !unwanted.test(text);
    return isPlain ? value : undefined;
  } catch {
    return undefined;
  }
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const member of Array.isArray(value) ? value : Object.values(value))
    if (isDeeper(member, levels - 1)) return true;
  return false;
}

class StrictReader {
  readonly #text: string;
  readonly #limits: JsonSizeLimits;
  readonly #numbers: JsonNumbers;
  readonly #steps: (string | number | null)[] = [];
  #at = 0;
  #values = 0;

  constructor(text: string, limits: JsonSizeLimits, numbers: JsonNumbers) {
    this.#text = text;
    this.#limits = limits;
    this.#numbers = numbers;
  }

  document(): void {
    this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#invalid('text after the end');
  }

  #value(): void {
    this.#skipSpace();
    switch (this.#text.charCodeAt(this.#at)) {
      case codes.open:
        return this.#nested(() => this.#object());
      case codes.openList:
        return this.#nested(() => this.#list());
      case codes.quote:
        return void this.#string();
      case codes.t:
        return this.#word('true');
      case codes.f:
        return this.#word('false');
      case codes.n:
        return this.#word('null');
      default:
        return this.#number();
    }
  }

  #nested(read: () => void): void {
    if (this.#steps.length >= maxJsonDepth) this.#refuse('json_too_deep', 'Nested too deeply');
    this.#at += 1;
    this.#steps.push(null);
    read();
    this.#steps.pop();
  }

  #object(): void {
    if (this.#takes(codes.close)) return;
    const keys = new Set<string>();
    let members = 0;
    do {
      this.#step(null);
      this.#count();
      if ((members += 1) > this.#limits.maxMembers)
        this.#refuse('json_too_large', 'An object with too many members');
      this.#skipSpace();
      if (this.#text.charCodeAt(this.#at) !== codes.quote) this.#invalid('a key was expected');
      this.#key(keys);
      if (!this.#takes(codes.colon)) this.#invalid('a colon was expected');
      this.#value();
    } while (this.#takes(codes.comma));
    if (!this.#takes(codes.close)) this.#invalid('a comma or } was expected');
  }

  #key(keys: Set<string>): void {
    const key = this.#string();
    this.#step(key);
    if (key === '__proto__') this.#refuse('json_forbidden_key', 'A key that is not allowed');
    if (keys.has(key)) this.#refuse('json_duplicate_key', 'The same key twice');
    keys.add(key);
  }

  #list(): void {
    if (this.#takes(codes.closeList)) return;
    let entries = 0;
    do {
      this.#step(entries);
      this.#count();
      entries += 1;
      this.#value();
    } while (this.#takes(codes.comma));
    if (!this.#takes(codes.closeList)) this.#invalid('a comma or ] was expected');
  }

  #string(): string {
    const start = this.#at;
    let at = start + 1;
    let plain = true;
    for (let code = this.#text.charCodeAt(at); code !== codes.quote; code = this.#text.charCodeAt(at)) {
      // The comparison is negated so that NaN, at the end of the text, fails it too.
      if (!(code >= 0x20)) this.#invalid('a string does not end or has a control character');
      if (code === codes.backslash) plain = false;
      at += code === codes.backslash ? 2 : 1;
    }
    this.#at = at + 1;
    const value = plain ? this.#text.slice(start + 1, at) : this.#unescape(this.#text.slice(start, at + 1));
    if (!value.isWellFormed()) this.#refuse('json_lone_surrogate', 'A broken character');
    return value;
  }

  #unescape(quoted: string): string {
    try {
      return JSON.parse(quoted) as string;
    } catch {
      return this.#invalid('an escape that JSON does not know');
    }
  }

  #word(word: string): void {
    if (!this.#text.startsWith(word, this.#at)) this.#invalid('a value was expected');
    this.#at += word.length;
  }

  #number(): void {
    numberPattern.lastIndex = this.#at;
    if (!numberPattern.test(this.#text)) this.#invalid('a value was expected');
    const text = this.#text.slice(this.#at, numberPattern.lastIndex);
    const value = Number(text);
    this.#at = numberPattern.lastIndex;
    if (!isExactNumber(text, value) && !(this.#numbers === 'double' && isWrittenDouble(text, value)))
      this.#refuse('json_number_inexact', 'A number that cannot be kept exactly');
  }

  #takes(code: number): boolean {
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    for (let code = this.#text.charCodeAt(this.#at); isSpace(code); code = this.#text.charCodeAt(this.#at)) {
      this.#at += 1;
    }
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#limits.maxValues) this.#refuse('json_too_large', 'Too many members and entries');
  }

  #step(step: string | number | null): void {
    this.#steps[this.#steps.length - 1] = step;
  }

  #invalid(what: string): never {
    return this.#refuse('json_invalid', `Not JSON at character ${this.#at + 1}: ${what}`);
  }

  #refuse(code: JsonRefusalCode, what: string): never {
    const named = this.#steps.filter((step) => step !== null);
    throw new JsonRefusal(code, jsonPath(named), what);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

const shortest = 15;

/**
 * True if the shortest text of the nearest double has the written value (RFC 8785 §3.2.2.3): `1.0` and `1e2`, but not
 * 2^53+1 or 1e400.
 */
function isExactNumber(text: string, value: number): boolean {
  // Fifteen significant digits always survive, unless an exponent leaves the range of a double.
  if (text.length <= shortest && !text.includes('e') && !text.includes('E')) return true;
  return Number.isFinite(value) && decimalValue(text) === decimalValue(String(value));
}

const longest = 17;

/** True for the digits of a round-tripping double. Integers are excluded, because they may be identifiers. */
function isWrittenDouble(text: string, value: number): boolean {
  if (!Number.isFinite(value) || Number.isInteger(value)) return false;
  return decimalValue(text) === decimalValue(value.toPrecision(longest));
}

/** Returns one text per decimal value. Linear in time, because a number may be as long as the body. */
function decimalValue(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = trimEndZeros(digits);
  if (significant === '') return '0';
  // An exponent too long for a safe integer is rounded here. No double has such an exponent, so the texts still differ.
  const last = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${last}`;
}

function trimEndZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

const plainKey = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
const maxKeyLength = 60;

/** Formats a path for display: `campaign.geo[2]`, `["odd key"].x`. Keys are made inert, and very long ones are shortened. */
function jsonPath(steps: readonly (string | number)[]): string {
  return steps.map(stepText).join('').replace(/^\./, '');
}

function stepText(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  const points = Array.from(step);
  const short = points.length > maxKeyLength ? `${points.slice(0, maxKeyLength).join('')}…` : step;
  return plainKey.test(step) ? `.${short}` : `["${inertText(short)}"]`;
}
