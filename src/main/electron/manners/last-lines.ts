import { closeSync, openSync, readdirSync, readSync, fstatSync } from 'node:fs';
import { join } from 'node:path';

/** So much of a file's end is looked at, in bytes. */
const endBytes = 64 * 1024;

/** The last lines of every log in the folder, by name. A folder or file that cannot be read has none. */
export function lastLogLines(folder: string, count: number): { name: string; lines: string[] }[] {
  return logNames(folder).map((name) => ({ name, lines: lastLines(join(folder, name), count) }));
}

function logNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .toSorted();
  } catch {
    return [];
  }
}

function lastLines(file: string, count: number): string[] {
  try {
    return endOf(file)
      .split('\n')
      .filter((text) => text !== '')
      .slice(-count);
  } catch {
    return [];
  }
}

function endOf(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const from = Math.max(0, size - endBytes);
    const bytes = Buffer.alloc(size - from);
    readSync(handle, bytes, 0, bytes.length, from);
    const text = bytes.toString('utf8');
    // A line that begins before the part that was read is not whole, and what is not whole cannot be redacted.
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    closeSync(handle);
  }
}
