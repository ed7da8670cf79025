import { existsSync } from 'node:fs';

/** What SQLite keeps beside a database file. */
export const companions = ['-wal', '-shm', '-journal'] as const;

/** A time as part of a file name, in UTC: `20261120T135500Z`. */
export function timeInName(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
}

/** The wished name, or the first free one with a number behind it. */
export function freeName(wished: string): string {
  let name = wished;
  for (let count = 2; existsSync(name); count += 1) name = `${wished}-${count}`;
  return name;
}
