import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** The command's source, run with this test's own Node. */
export const command = 'src/main/headless/index.ts';

/** A running command with its output and its end. */
export interface Running {
  child: ChildProcess;
  /** Returns everything printed so far, on both streams. */
  text(): string;
  /** Returns everything printed on standard output, without failures and progress. */
  answer(): string;
  /** Resolves with everything printed once it contains the words this often. Rejects if the command ends before that. */
  until(words: string, times?: number): Promise<string>;
  write(text: string): void;
  /** The exit code. */
  ended: Promise<number | null>;
}

/** Starts a program, which is killed when its test ends. */
function start(program: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  let answered = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (answered += chunk));
  let isOver = false;
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((look) => look());
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      changed();
    });
  }
  const ended = once(child, 'close').then(([code]) => {
    isOver = true;
    changed();
    return code as number | null;
  });
  return {
    child,
    text: () => printed,
    answer: () => answered,
    until: (words, times = 1) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (printed.split(words).length > times) resolve(printed);
          else if (isOver) reject(new Error(`It ended without “${words}”:\n${printed}`));
          else return;
          listeners.delete(look);
        };
        listeners.add(look);
        look();
      }),
    write: (text) => void child.stdin.write(text),
    ended,
  };
}

/** Starts `countersign`. */
export function countersign(args: readonly string[], env: Record<string, string> = {}): Running {
  return start(process.execPath, [command, ...args], env);
}

/** Starts `countersign` inside a pseudo-terminal, as for a person. */
export function countersignOnTerminal(args: readonly string[], env: Record<string, string> = {}): Running {
  return programOnTerminal([], args, env);
}

/** Starts another program inside a pseudo-terminal, which starts and watches `countersign`. */
export function programOnTerminal(
  watcher: readonly string[],
  args: readonly string[],
  env: Record<string, string> = {},
): Running {
  const line = [...watcher, process.execPath, command, ...args].map((word) => `'${word}'`).join(' ');
  return start('script', ['-qefc', line, '/dev/null'], { TERM: 'xterm', NO_COLOR: '', ...env });
}

/** Runs `countersign` to its end. */
export async function run(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; text: string }> {
  const running = countersign(args, env);
  const code = await running.ended;
  return { code, text: running.text() };
}
