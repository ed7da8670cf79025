export interface Choice {
  selectedId: string | null;
  byItself: string | null;
  firstWaiting: string | null;
}

/**
 * The proposal shown without a choice: the first one that waited. It stays
 * when it is decided or another one comes first, so that its end can be read.
 */
export function shownByItself({ selectedId, byItself, firstWaiting }: Choice): string | null {
  return selectedId === null ? (byItself ?? firstWaiting) : null;
}
