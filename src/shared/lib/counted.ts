import { countText } from './number-text.ts';

/**
 * Returns a count with its noun: `1 row`, `2 rows`, `10,000 campaigns`, `3 entries`. The plural is `one` with an s
 * unless `many` is given. Thousands are separated.
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
