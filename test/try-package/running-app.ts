import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endTree, inOwnTree } from '../../scripts/lib/processes.ts';

/** A program and the arguments that always come first. */
export interface Program {
  file: string;
  args?: readonly string[];
}

/** A packaged app that was started as a person starts it. */
export interface RunningApp {
  /** Resolves when a core has become ready on this data folder again. */
  ready(): Promise<void>;
  /** Asks the app to quit, as an installer does, and resolves when it has ended without an error. */
  quit(): Promise<void>;
  /** Starts the app again on the same data folder; resolves with the second process's exit code. */
  startAgain(args?: readonly string[]): Promise<number | null>;
  /** Its exit code. */
  ended: Promise<number | null>;
  isRunning(): boolean;
  /** Kills the app with all processes that it has started, if it still runs. */
  kill(): void;
}

export interface StartOptions {
  program: Program;
  /** The folder in which Electron and the app keep their files. */
  userData: string;
  /** The app itself chooses this folder, so it is not passed to it. An installer can only ask such an app to quit. */
  isOwnFolder?: boolean;
  env?: NodeJS.ProcessEnv;
  /** Time limit of each action of the app, in milliseconds. */
  limitMs: number;
}

const lookMs = 100;

/** Starts the app on a data folder without waiting for it. */
export function startApp(options: StartOptions): RunningApp {
  const { program, userData, isOwnFolder = false, env = process.env, limitMs } = options;
  const usual = [...(program.args ?? []), ...(isOwnFolder ? [] : [`--user-data-dir=${userData}`])];
  const start = (args: readonly string[]) =>
    spawn(program.file, [...usual, ...args], {
      // If an editor's terminal has set this variable, Electron would run as plain Node.
      env: { ...env, ELECTRON_RUN_AS_NODE: undefined },
      // Electron and Chromium report on stderr why they refuse to start, before a log exists.
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: false,
      ...inOwnTree(),
    });
  const log = (name: string): string => textOf(join(userData, 'data/logs', name));
  const timesLogged = (words: string): number => log('countersign.log').split(words).length - 1;
  const startsBefore = timesLogged(ready);
  const child = start([]);
  let printed = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (printed = (printed + text).slice(-maxPrinted)));
  let isOver = false;
  const drained = once(child, 'close');
  const ended = endOf(child).finally(() => (isOver = true));
  // Failures are reported by the functions that await this promise.
  drained.catch(() => undefined);
  ended.catch(() => undefined);

  async function startAgain(args: readonly string[] = []): Promise<number | null> {
    const second = start(args);
    second.stderr?.resume();
    const code = endOf(second);
    return within(limitMs, 'The second start does not end', code).finally(() => endAll(second));
  }

  return {
    ended,
    isRunning: () => !isOver,
    kill: () => void (isOver || endAll(child)),
    startAgain,
    async ready() {
      const givenUpAtMs = performance.now() + limitMs;
      while (timesLogged(ready) === startsBefore) {
        const fault = isOver ? 'It ended' : performance.now() > givenUpAtMs ? 'It still runs' : null;
        if (fault !== null) {
          // The last output may still arrive. A process that the app has left behind keeps the output open, so the
          // wait is limited.
          await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, lookMs))]);
          throw new Error(`${fault} without a ready core. ${whatItSaid(log('desktop.log'), printed)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      }
    },
    async quit() {
      const code = await startAgain(['--quit-for-update']);
      if (code !== 0) throw new Error(`The start that asks it to quit ended with ${code}`);
      const own = await within(limitMs, 'It was asked to quit and still runs', ended);
      if (own !== 0) throw new Error(`It was asked to quit and ended with ${own}`);
      if (timesLogged(over) < timesLogged(ready)) throw new Error('It ended before its core had');
      if (existsSync(join(userData, 'data/lock.json'))) throw new Error('It left its lock behind');
    },
  };
}

const ready = 'The core is ready';
const over = 'The core has ended';

async function endOf(child: ReturnType<typeof spawn>): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

/**
 * Kills a program with all processes that it has started. A program that did not start has no pid, and a pid of 0 would kill
 * this process.
 */
function endAll({ pid }: ReturnType<typeof spawn>): void {
  if (pid !== undefined) endTree(pid);
}

/** Fails with this message if the promise takes too long. */
export async function within<T>(limitMs: number, otherwise: string, awaited: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${otherwise} after ${limitMs / 1000} s`)), limitMs);
  try {
    return await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const maxPrinted = 4_000;

function whatItSaid(log: string, printed: string): string {
  const parts = [
    ...(log.trim() === '' ? [] : [`Its log:\n${tailOf(log)}`]),
    ...(printed.trim() === '' ? [] : [`It printed:\n${tailOf(printed)}`]),
  ];
  return parts.length === 0 ? 'It wrote no log and printed nothing.' : parts.join('\n');
}

const tailOf = (text: string): string => text.trimEnd().split('\n').slice(-20).join('\n');
