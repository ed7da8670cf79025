import type { Formats } from '#shared/lib/formats.ts';

export function movedCursor(
  key: string,
  cursor: number,
  { total, screenful }: { total: number; screenful: number },
): number | null {
  const targets: Partial<Record<string, number>> = {
    ArrowDown: cursor + 1,
    ArrowUp: cursor - 1,
    PageDown: cursor + screenful,
    PageUp: cursor - screenful,
    Home: 0,
    End: total - 1,
  };
  const target = targets[key];
  return target === undefined ? null : Math.max(0, Math.min(total - 1, target));
}

/** `400 campaigns`, or `3 of 400 campaigns` if filtered. While the service is unreachable, only loaded campaigns count. */
export function countWords(
  total: number,
  { all, cached }: { all: number | null; cached: boolean },
  formats: Formats,
): string {
  const noun = cached ? 'loaded campaign' : 'campaign';
  if (all === null) return formats.counted(total, noun);
  return `${formats.count(total)} of ${formats.counted(all, noun)}`;
}
