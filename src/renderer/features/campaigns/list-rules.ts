import type { Formats } from '#shared/lib/formats.ts';

export function movedCursor(
  key: string,
  cursor: number,
  place: { total: number; screenful: number },
): number | null {
  const target = targetOf(key, cursor, place);
  return target === null ? null : Math.max(0, Math.min(place.total - 1, target));
}

function targetOf(
  key: string,
  cursor: number,
  { total, screenful }: { total: number; screenful: number },
): number | null {
  switch (key) {
    case 'ArrowDown':
      return cursor + 1;
    case 'ArrowUp':
      return cursor - 1;
    case 'PageDown':
      return cursor + screenful;
    case 'PageUp':
      return cursor - screenful;
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return null;
  }
}

/** `400 campaigns`, or `3 of 400 campaigns` under a filter. While the service is away, only loaded campaigns count. */
export function countWords(
  total: number,
  { all, cached }: { all: number | null; cached: boolean },
  formats: Formats,
): string {
  const noun = cached ? 'loaded campaign' : 'campaign';
  if (all === null) return formats.counted(total, noun);
  return `${formats.count(total)} of ${formats.counted(all, noun)}`;
}
