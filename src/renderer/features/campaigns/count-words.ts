import type { Formats } from '#shared/lib/formats.ts';
/**
 * `400 campaigns`; `3 of 400 campaigns` under a filter, once the number of all is known. While the service is away only
 * loaded campaigns are there to count.
 */
export function countWords(
  total: number,
  { all, cached }: { all: number | null; cached: boolean },
  formats: Formats,
): string {
  const noun = cached ? 'loaded campaign' : 'campaign';
  if (all === null) return formats.counted(total, noun);
  return `${formats.count(total)} of ${formats.counted(all, noun)}`;
}
