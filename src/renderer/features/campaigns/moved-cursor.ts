/** Where a moving key takes the cursor, always a row of the list; null when the key does not move. */
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
