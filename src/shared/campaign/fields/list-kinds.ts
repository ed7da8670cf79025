import { targetingLists } from '../../contract/index.ts';

/** Form of the entries of a list. Ids and codes have no space in them, names may have some. */
export type EntryForm = 'countries' | 'ids' | 'codes' | 'names';

/** How the entries of a list are read, and whether two of them that differ in case are one. */
interface ListKind {
  entries: EntryForm;
  foldsCase: boolean;
}

interface ListKindRow extends ListKind {
  /** Matches the names of these lists. */
  list: RegExp;
}

/**
 * The kinds of lists; the first row that matches a name counts. The service's own filters are known by their names alone (contract §2.4).
 * Case is folded only if no two entries can differ in it: codes and domains are without case, the case of bundles and of ids counts.
 */
const rows: readonly ListKindRow[] = [
  { list: /^geo$/u, entries: 'countries', foldsCase: true },
  { list: /^exchanges$/u, entries: 'ids', foldsCase: true },
  { list: new RegExp(`^(?:${targetingLists.join('|')})$`, 'u'), entries: 'names', foldsCase: true },
  { list: /keyword/iu, entries: 'names', foldsCase: true },
  { list: /carrier|(?:^|_)isps?(?:_|$)|city|cities|region/iu, entries: 'names', foldsCase: true },
  { list: /bundle|app|publisher|source|sub_?id|zone|feed|ssp/iu, entries: 'codes', foldsCase: false },
  { list: /(?:^|_)ips?(?:_|$)|domain|country|countries|lang/iu, entries: 'codes', foldsCase: true },
];

const otherLists: ListKind = { entries: 'codes', foldsCase: false };

/** The kind of a list. Entries of a list with an unknown name are different if they differ in case. */
export function listKindOf(list: string): ListKind {
  return rows.find((row) => row.list.test(list)) ?? otherLists;
}

/** The key of an entry of a list: entries with one key are the same. */
export function entryKeyOf(list: string): (entry: string | number) => string {
  const { foldsCase } = listKindOf(list);
  return (entry) => (foldsCase ? String(entry).trim().toLowerCase() : String(entry).trim());
}
