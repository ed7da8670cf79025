import { campaignFields, targetingDimensions } from '../../campaign/index.ts';
import type { JsonValue } from '../../lib/json/json-value.ts';

/** Kinds of cells, by which a cell is written and read. `none` has no cell, `fixed` is in the file and never changed by it. */
export type CellKind =
  | 'fixed'
  | 'none'
  | 'text'
  | 'lines'
  | 'amount'
  | 'budget'
  | 'whole'
  | 'status'
  | 'date'
  | 'time'
  | 'week'
  | 'countries'
  | 'ids'
  | 'list';

const rows: readonly [kind: CellKind, fields: readonly string[]][] = [
  ['fixed', ['cid', 'uid']],
  ['none', ['icon', 'image', 'bidControl']],
  ['text', ['name', 'title', 'description', 'clickurl', 'website', 'shedule_timezone']],
  ['lines', ['keywords_whitelist', 'keywords_blocklist']],
  ['amount', ['payout']],
  ['budget', ['d_revenue', 't_revenue']],
  ['whole', ['type', 'enable_budget', 'enable_time', 'enable_shedule', 'keywords_enabled']],
  ['whole', campaignFields.pacing],
  ['whole', targetingDimensions.map(({ flag }) => flag)],
  ['status', ['status']],
  ['date', ['create', 'expire']],
  ['time', ['create_time', 'expire_time']],
  ['week', ['shedule']],
  ['list', targetingDimensions.map(({ list }) => list)],
  ['countries', ['geo']],
  ['ids', ['exchanges']],
];

/** The kind of cell of each field that the contract names. */
const cellKinds: ReadonlyMap<string, CellKind> = new Map(
  rows.flatMap(([kind, fields]) => fields.map((field) => [field, kind] as const)),
);

/** The fields with a kind of cell. */
export function fieldsWithCell(...kinds: CellKind[]): string[] {
  return [...cellKinds].flatMap(([field, kind]) => (kinds.includes(kind) ? [field] : []));
}

const numbers: readonly CellKind[] = ['amount', 'budget', 'whole', 'status'];
const lists: readonly CellKind[] = ['week', 'countries', 'ids', 'list'];

/** The kind of cell of a field with this value. A field that the contract does not name, or with a value of another kind, is read by its value. */
export function cellKindOf(field: string, value: JsonValue): CellKind {
  const known = cellKinds.get(field);
  if (known === 'fixed' || known === 'none') return known;
  if (typeof value === 'number') return known !== undefined && numbers.includes(known) ? known : 'amount';
  if (Array.isArray(value)) return known !== undefined && lists.includes(known) ? known : 'list';
  return known === undefined || numbers.includes(known) || lists.includes(known) ? 'text' : known;
}
