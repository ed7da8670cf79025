import type { ImportRow } from './import-table.ts';

/** The row that speaks for a file, with the folder it stands for; null where the table has nothing to say. */
export function findRow(table: readonly ImportRow[], file: string): { row: ImportRow; place: string } | null {
  let found: { row: ImportRow; place: string } | null = null;
  for (const row of table) {
    const place = placeOf(row, file);
    if (place !== null && (found === null || place.length > found.place.length)) found = { row, place };
  }
  return found;
}

/** The folder or file of the row that holds `file`; null where none does. */
function placeOf(row: ImportRow, file: string): string | null {
  if (!row.place.endsWith('/*')) return isWithin(file, row.place) ? row.place : null;
  const parent = row.place.slice(0, -2);
  if (!isWithin(file, parent)) return null;
  const [child] = file.slice(parent.length + 1).split('/');
  return child === undefined ? null : `${parent}/${child}`;
}

/** Is `file` this file or inside this folder? */
export function isWithin(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

/** Does one entry of the package column allow this specifier? */
export function allowsPackage(entry: string, specifier: string): boolean {
  if (entry === 'node:*') return specifier.startsWith('node:');
  if (entry.endsWith('/*')) return specifier.startsWith(entry.slice(0, -1));
  return specifier === entry || specifier.startsWith(`${entry}/`);
}
