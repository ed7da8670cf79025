// Separate from the readers of typed text, because the list needs only the names when it is loaded.

const cellFields = ['name', 'status', 'payout', 'd_revenue', 't_revenue', 'create', 'expire'] as const;

export type CellField = (typeof cellFields)[number];

export function isCellField(column: string): column is CellField {
  return cellFields.some((field) => field === column);
}
