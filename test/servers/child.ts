import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A program of ours in a process of its own, run by the Node that runs the test. */
export interface Child {
  pid: number;
  /** The next line it prints; fails when it ends without one. */
  line(): Promise<string>;
  /** Every line that it printed and that was not taken yet, until its output ends. */
  rest(): Promise<string[]>;
  /** Ends it at once (SIGKILL) and waits until it is gone. */
  kill(): Promise<void>;
  /** Its exit code, or null after a signal. */
  ended: Promise<number | null>;
  /** The end of what it has written to stderr. */
  errors(): string;
}

/** Of what a program has written to stderr, so much is kept for whoever reports its end. */
const keptCharacters = 2_000;

/** Starts a TypeScript file. What it writes to stderr goes to the test's too. */
export function startChild(file: URL, args: string[], wrapper: string[] = []): Child {
  const [command = process.execPath, ...words] = [...wrapper, process.execPath, fileURLToPath(file), ...args];
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(command, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => {
    process.stderr.write(text);
    errors = `${errors}${text.toString()}`.slice(-keptCharacters);
  });
  const ended = once(child, 'close').then(() => child.exitCode);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? -1,
    async line() {
      const next = await lines.next();
      if (next.done) throw new Error(`The program ended (${await ended}) without another line\n${errors}`);
      return next.value;
    },
    async rest() {
      const all: string[] = [];
      for (let next = await lines.next(); !next.done; next = await lines.next()) all.push(next.value);
      return all;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    ended,
    errors: () => errors,
  };
}
