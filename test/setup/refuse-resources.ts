import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll } from 'vitest';

type Methods = Record<string, (...args: never[]) => unknown>;

/** The calls that open a listener, start a process, or use SQLite. */
const refused: [owner: object, method: string, what: string][] = [
  [net.Server.prototype, 'listen', 'a listener'],
  [childProcess.ChildProcess.prototype, 'spawn', 'a process'],
  [childProcess, 'spawnSync', 'a process'],
  [childProcess, 'execSync', 'a process'],
  [childProcess, 'execFileSync', 'a process'],
  [BetterSqlite3.prototype, 'exec', 'SQLite'],
  [BetterSqlite3.prototype, 'pragma', 'SQLite'],
  [BetterSqlite3.prototype, 'prepare', 'SQLite'],
];

let allowed: ((...args: never[]) => unknown)[] = [];

beforeAll(() => {
  allowed = refused.map(([owner, method, what]) => {
    const methods = owner as Methods;
    const original = methods[method]!;
    methods[method] = () => {
      throw new Error(`A test of the project \`pure\` may not use ${what}; move it to test/core`);
    };
    return original;
  });
  syncBuiltinESMExports();
});

// Files of other projects may run later in this process.
afterAll(() => {
  for (const [index, [owner, method]] of refused.entries()) (owner as Methods)[method] = allowed[index]!;
  syncBuiltinESMExports();
});
