// Kept apart from typed-cell.ts, so that the campaign list loads only the field names.

const cellFields = ['name', 'status', 'payout', 'd_revenue', 't_revenue', 'create', 'expire'] as const;

export type CellField = (typeof cellFields)[number];

export function isCellField(column: string): column is CellField {
  return cellFields.some((field) => field === column);
}
