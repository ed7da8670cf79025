/** The different runs of three code points of a text. */
export function trigramsOf(text: string): string[] {
  const points = Array.from(text);
  const grams = points.slice(2).map((_point, at) => points.slice(at, at + 3).join(''));
  return [...new Set(grams)];
}

/** Texts under three code points have no trigram, and SQLite's text functions end at NUL. */
export function hasTrigrams(text: string): boolean {
  return !text.includes('\0') && trigramsOf(text).length > 0;
}
