/** Length in Unicode code points: the one unit of every limit on text (contract §8). */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _point of text) length += 1;
  return length;
}
