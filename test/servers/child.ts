import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** One of our programs in a process of its own, run with the test's Node. */
export interface Child {
  pid: number;
  /** Resolves with the next line of output; fails if the program ends without another line. */
  line(): Promise<string>;
  /** Resolves at the end of the output with every line that was not read yet. */
  rest(): Promise<string[]>;
  /** Kills the process with SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
  /** Its exit code, or null after a signal. */
  ended: Promise<number | null>;
  /** Returns the end of its output on stderr. */
  errors(): string;
}

/** The number of characters of stderr that are kept for error messages. */
const keptCharacters = 2_000;

/** Starts a TypeScript file. Its stderr is also forwarded to the test's stderr. */
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
