import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { requireTool } from '#test/servers/require-tool.ts';
import type { Random } from '#shared/lib/random.ts';

/**
 * The system calls that change a data folder. Shared memory of a mapped file is not among them, because the next start
 * recreates it.
 */
const calls = 'fsync,fdatasync,pwrite64,write,writev,ftruncate,unlink,rename,mkdir,chmod,link';

/** A moment at which a program may be killed: right after this system call. */
export interface KillPoint {
  /** The number of the call, from 1, over all calls. */
  number: number;
  /** A readable name. Example: `fsync 3 countersign.sqlite-journal` is the third fsync. */
  name: string;
  /** The files that a program killed at this point leaves behind: paths in the folder with the hash of their content. */
  files: ReadonlyMap<string, string>;
}

/** All kill points of one run, with the files of each point. */
export interface KillPoints {
  points: KillPoint[];
  /** Creates the folder that a program killed at this point leaves behind. The folder must not exist. */
  restore(point: KillPoint, folder: string): void;
}

/** A line of strace about a call in the folder: thread, call, path. */
const callLine = /^(\d+) +(\w+)\((?:\d+<([^>]*)>|"([^"]*)")/;

/**
 * Runs a program once, stops it after each call that changes the folder, and saves the files of that moment. They are exactly
 * the files that SIGKILL would leave. Fails if the program does not exit with 0.
 */
export async function findKillPoints(options: {
  program: URL;
  args: readonly string[];
  folder: string;
  /** An empty folder for the saved files. */
  pool: string;
}): Promise<KillPoints> {
  const { program, args, folder, pool } = options;
  const points: KillPoint[] = [];
  const counts = new Map<string, number>();
  const child = spawn(
    requireTool('strace'),
    [
      '-fqy',
      '--string-limit=0',
      `--trace=${calls}`,
      `--inject=${calls}:signal=STOP`,
      '--output=|cat >&3',
      process.execPath,
      fileURLToPath(program),
      ...args,
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] },
  );
  const ended = once(child, 'close');
  let last: { thread: string; call: string; path: string } | null = null;
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const [, thread, call, ofDescriptor, named] = callLine.exec(line) ?? [];
    if (thread !== undefined && call !== undefined) {
      last = { thread, call, path: ofDescriptor ?? named ?? '' };
      continue;
    }
    const stopped = /^(\d+) +--- stopped by SIGSTOP/.exec(line)?.[1];
    if (stopped === undefined || stopped !== last?.thread) continue;
    if (last.path.startsWith(folder)) keep(last.call, last.path);
    process.kill(Number(stopped), 'SIGCONT');
    last = null;
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`The program under strace ended with ${code}`);

  function keep(call: string, path: string): void {
    const count = (counts.get(call) ?? 0) + 1;
    counts.set(call, count);
    const name = `${call} ${count} ${path.slice(folder.length + 1)}`;
    points.push({ number: points.length + 1, name, files: keepFiles(folder, pool) });
  }

  return { points, restore: (point, target) => restoreFiles(point.files, pool, target) };
}

/** The next start does not depend on log files. */
const isLog = (path: string): boolean => path.startsWith('logs');

function keepFiles(folder: string, pool: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (!entry.isFile() || isLog(path)) continue;
    const content = readFileSync(join(folder, path));
    const hash = createHash('sha256').update(content).digest('hex');
    if (!existsSync(join(pool, hash))) writeFileSync(join(pool, hash), content);
    files.set(path, hash);
  }
  return files;
}

function restoreFiles(files: ReadonlyMap<string, string>, pool: string, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [path, hash] of files) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    cpSync(join(pool, hash), join(folder, path));
  }
}

/** Returns the points whose files differ from those of the point before. Equal files need no second check. */
export function distinctPoints(points: readonly KillPoint[]): KillPoint[] {
  const textOf = ({ files }: KillPoint) => JSON.stringify([...files].toSorted());
  return points.filter((point, index) => {
    const before = points[index - 1];
    return before === undefined || textOf(before) !== textOf(point);
  });
}

/** While a database's journal exists, the database may be half written. The journal of the lock always exists. */
const isHalfWritten = ({ files }: KillPoint): boolean =>
  [...files.keys()].some((name) => name.endsWith('.sqlite-journal') && name !== 'lock.sqlite-journal');

/** Points of one kind have the same call on the same file, with the same set of files. */
const kindOf = ({ name, files }: KillPoint): string =>
  `${name.replace(/ \d+ /, ' ')} beside ${[...files.keys()].toSorted().join(' ')}`;

/**
 * Chooses points if there is no time for all: those with a half-written database, the first of each kind, and `randomCount`
 * others.
 */
export function samplePoints(points: readonly KillPoint[], randomCount: number, random: Random): KillPoint[] {
  const kinds = new Set<string>();
  const chosen = new Set<KillPoint>();
  for (const point of points) {
    const kind = kindOf(point);
    if (isHalfWritten(point) || !kinds.has(kind)) chosen.add(point);
    kinds.add(kind);
  }
  const others = points.filter((point) => !chosen.has(point));
  for (const point of random.some(others, randomCount)) chosen.add(point);
  return points.filter((point) => chosen.has(point));
}
