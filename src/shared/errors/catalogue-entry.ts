/** One kind of expected failure. */
export interface CatalogueEntry {
  /** HTTP status on our own servers. */
  status: number;
  /** Level at which it is logged. */
  level: 'info' | 'warn' | 'error';
  /** One plain sentence for the user. */
  text: string;
  /** The user's next step, one plain sentence. */
  next: string;
}

/** One row, in the order of its columns. */
export const entry = (
  status: number,
  level: CatalogueEntry['level'],
  text: string,
  next: string,
): CatalogueEntry => ({
  status,
  level,
  text,
  next,
});
