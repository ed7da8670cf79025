/** Values for a block list or an allow list, one a line. */
export interface ValueLines {
  text: string;
  lines: number;
  /** Number of values that cannot have a line of their own: empty, or with a line end or another control character. */
  leftOut: number;
}

const unlistable = /^$|[\p{Cc}\u2028\u2029]/u;

/** Lists values one a line, each once and as the service sent it. */
export function valueLines(values: readonly (string | null)[]): ValueLines {
  const distinct = [...new Set(values)];
  const listed = distinct.filter((value): value is string => value !== null && !unlistable.test(value));
  return {
    text: listed.map((value) => `${value}\n`).join(''),
    lines: listed.length,
    leftOut: distinct.length - listed.length,
  };
}
