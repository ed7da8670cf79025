import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './replace-file.ts';

export interface LogLimits {
  maxBytes: number;
  /** Number of older files that are kept, as `<name>.1` (the newest), `<name>.2` and so on. */
  olderFiles: number;
}

const defaultLimits: LogLimits = { maxBytes: 4 * 1024 * 1024, olderFiles: 4 };

/** A log that is written line by line. `write` passes each line to the operating system before it returns. */
export interface LogFile {
  /** `line` includes its line feed. Ignores failures, because a full disk must not stop the program. */
  write(line: string): void;
}

/** Opens a log for its owner only, rotated at `maxBytes`. Creates its folder. Fails as the disk does. */
export function openLog(file: string, { maxBytes, olderFiles }: LogLimits = defaultLimits): LogFile {
  makeFolder(dirname(file), 0o700);
  closeSync(openSync(file, 'a', 0o600));

  function rotate(): void {
    rmSync(`${file}.${olderFiles}`, { force: true });
    const names = [file, ...Array.from({ length: olderFiles - 1 }, (_, index) => `${file}.${index + 1}`)];
    for (const [index, name] of [...names.entries()].toReversed()) {
      if (statSync(name, { throwIfNoEntry: false }) !== undefined) renameSync(name, `${file}.${index + 1}`);
    }
  }

  return {
    write(line) {
      try {
        const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
        if (size > 0 && size + Buffer.byteLength(line) > maxBytes) rotate();
        makeFolder(dirname(file), 0o700);
        appendFileSync(file, line, { mode: 0o600 });
      } catch {
        // A different program may have the file open: the next line tries again.
      }
    },
  };
}

const endBytes = 64 * 1024;

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
    // Skips the first line if it begins before the part that was read: an incomplete line cannot be redacted.
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    closeSync(handle);
  }
}
