import { counted } from '#shared/lib/counted.ts';
import { countText } from '#shared/lib/number-text.ts';

/**
 * `400 campaigns`; `3 of 400 campaigns` under a filter, once the number of all is known. While the service is away only
 * loaded campaigns are there to count.
 */
export function countWords(total: number, { all, cached }: { all: number | null; cached: boolean }): string {
  const noun = cached ? 'loaded campaign' : 'campaign';
  if (all === null) return counted(total, noun);
  return `${countText(total)} of ${counted(all, noun)}`;
}
