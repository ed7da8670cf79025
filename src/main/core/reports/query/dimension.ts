/** Sorts groups by key; stable, NaN last. A merge sort is faster here than sorting with a compare function. */
export function sortByKey(
  groups: Uint32Array,
  keys: Float64Array,
  { descending }: { descending: boolean } = { descending: false },
): Uint32Array {
  const sign = descending ? -1 : 1;
  const sortKeys = Float64Array.from(groups, (group) => {
    const key = keys[group] as number;
    return Number.isNaN(key) ? Infinity : sign * key;
  });
  let from = Uint32Array.from(groups, (_, at) => at);
  let to = new Uint32Array(groups.length);
  for (let width = 1; width < groups.length; width *= 2) {
    for (let low = 0; low < groups.length; low += 2 * width) merge(from, to, { of: sortKeys, low, width });
    [from, to] = [to, from];
  }
  return from.map((at) => groups[at] as number);
}

function merge(
  from: Uint32Array,
  to: Uint32Array,
  { of, low, width }: { of: Float64Array; low: number; width: number },
): void {
  const middle = Math.min(low + width, from.length);
  const high = Math.min(low + 2 * width, from.length);
  let left = low;
  let right = middle;
  for (let at = low; at < high; at += 1) {
    const takesLeft =
      left < middle &&
      (right >= high || (of[from[left] as number] as number) <= (of[from[right] as number] as number));
    to[at] = (takesLeft ? from[left] : from[right]) as number;
    if (takesLeft) left += 1;
    else right += 1;
  }
}

export type DatasetPart = 'current' | 'compared';

export const parts: readonly DatasetPart[] = ['current', 'compared'];

export class Dimension {
  readonly id: string;
  readonly labels: readonly (string | null)[];
  readonly codes: Readonly<Record<DatasetPart, Uint32Array>>;
  #ranks: Uint32Array | undefined;

  constructor(
    id: string,
    labels: readonly (string | null)[],
    codes: Readonly<Record<DatasetPart, Uint32Array>>,
  ) {
    this.id = id;
    this.labels = labels;
    this.codes = codes;
  }

  flags(matches: (label: string | null) => boolean): Uint8Array {
    return Uint8Array.from(this.labels, (label) => (matches(label) ? 1 : 0));
  }

  /** Skips labels that have no rows. */
  codesOf(wanted: ReadonlySet<string | null>): Map<string | null, number> {
    const codes = new Map<string | null, number>();
    if (wanted.size === 0) return codes;
    for (const [code, label] of this.labels.entries()) if (wanted.has(label)) codes.set(label, code);
    return codes;
  }

  /** Rank of each code: numbers by value, then texts, then the missing value. */
  get ranks(): Uint32Array {
    if (this.#ranks === undefined) {
      const { labels } = this;
      const order = labelOrder(labels);
      this.#ranks = new Uint32Array(labels.length);
      for (let rank = 0; rank < order.length; rank += 1) this.#ranks[order[rank] as number] = rank;
    }
    return this.#ranks;
  }
}

const firstTextKey = 2 ** 50;
const [keyedLetters, bitsOfLetter, lastLetter] = [7, 7, 127] as const;

function labelOrder(labels: readonly (string | null)[]): Uint32Array {
  const prefix = commonPrefixLength(labels);
  const keys = Float64Array.from(labels, (label) => labelKey(label, prefix));
  const order = sortByKey(
    Uint32Array.from(labels, (_, code) => code),
    keys,
  );
  let from = 0;
  for (let to = 1; to <= order.length; to += 1) {
    if (to < order.length && keys[order[to] as number] === keys[order[from] as number]) continue;
    if (to - from > 1) order.subarray(from, to).sort((a, b) => compareTexts(labels[a], labels[b]));
    from = to;
  }
  return order;
}

/**
 * Returns a number by which labels sort: a whole number itself, for a text a key that does not decrease in text order, and NaN
 * for the missing value.
 */
function labelKey(label: string | null, prefix: number): number {
  if (label === null) return Number.NaN;
  if (isWholeNumber(label)) return Number(label);
  let key = 0;
  for (let at = 0; at < keyedLetters; at += 1) {
    const letter = label.charCodeAt(prefix + at);
    key = key * 2 ** bitsOfLetter + (Number.isNaN(letter) ? 0 : Math.min(letter, lastLetter));
    if (letter >= lastLetter)
      return firstTextKey + (key + 1) * 2 ** (bitsOfLetter * (keyedLetters - 1 - at)) - 1;
  }
  return firstTextKey + key;
}

function commonPrefixLength(labels: readonly (string | null)[]): number {
  let first: string | undefined;
  let length = 0;
  for (const label of labels) {
    if (label === null || isWholeNumber(label)) continue;
    if (first === undefined) [first, length] = [label, label.length];
    let same = 0;
    while (same < length && label.charCodeAt(same) === first.charCodeAt(same)) same += 1;
    length = same;
  }
  return length;
}

function isWholeNumber(label: string): boolean {
  const first = label.charCodeAt(0);
  return first >= 48 && first <= 57 && /^\d{1,15}$/.test(label);
}

function compareTexts(a: string | null | undefined, b: string | null | undefined): number {
  if (a === b || a === null || b === null || a === undefined || b === undefined) return 0;
  return a < b ? -1 : 1;
}
