import { spawn } from 'node:child_process';
import { isRunning } from './processes.ts';
import { projectRoot } from './run-tool.ts';

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Ending = (typeof endings)[number];

const exitCodes: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

const orphanCheckMs = 500;

export interface AttachedOptions {
  env?: NodeJS.ProcessEnv;
  /**
   * Arguments of another start of the same program that asks the first one to quit. For programs that have windows: on Windows no
   * Ctrl-C reaches them, and a signal would end them at once.
   */
  quitArgs?: readonly string[];
  platform?: NodeJS.Platform;
}

export interface EndingFacts {
  platform: NodeJS.Platform;
  /** A Ctrl-C comes from a terminal, which has sent it to the child as well. */
  onTerminal: boolean;
  canAskToQuit: boolean;
}

/**
 * The way in which a child hears of an ending: `itself` from the terminal, where another copy would look like impatience; by a
 * `signal`; or by another start that `asks` it to quit. Windows has no signals but those of the console, which reach every
 * program of the console; to send one there is to end the child at once.
 */
export function howChildHears(
  ending: Ending,
  { platform, onTerminal, canAskToQuit }: EndingFacts,
): 'itself' | 'signal' | 'asks' {
  if (platform !== 'win32') return ending === 'SIGINT' && onTerminal ? 'itself' : 'signal';
  if (canAskToQuit) return 'asks';
  return ending === 'SIGTERM' ? 'signal' : 'itself';
}

export async function runAttached(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  return runProgramAttached(process.execPath, [script, ...args], { env });
}

/**
 * Runs a program with our own terminal and hands endings on, so that a started app closes its files before the command
 * returns. Resolves to the exit code.
 */
export async function runProgramAttached(
  program: string,
  args: readonly string[],
  { env = process.env, quitArgs, platform = process.platform }: AttachedOptions = {},
): Promise<number> {
  const child = spawn(program, args, { cwd: projectRoot, stdio: 'inherit', env });
  const askToQuit = quitArgs && (() => void spawn(program, quitArgs, { env, stdio: 'ignore' }));
  const facts = { platform, onTerminal: process.stdin.isTTY, canAskToQuit: askToQuit !== undefined };
  const end = (ending: Ending): void => {
    const way = howChildHears(ending, facts);
    if (way === 'asks') askToQuit?.();
    else if (way === 'signal') child.kill(ending);
  };
  const forwards = endings.map((signal) => {
    const forward = (): void => end(signal);
    process.on(signal, forward);
    return () => void process.off(signal, forward);
  });
  // npm runs scripts through a shell, and a shell that is ended does not hand the signal on.
  const parent = process.ppid;
  const orphanCheck = setInterval(() => {
    if (process.ppid === parent && isRunning(parent)) return;
    clearInterval(orphanCheck);
    end('SIGTERM');
  }, orphanCheckMs);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? (signal && exitCodes[signal]) ?? 1));
    });
  } finally {
    clearInterval(orphanCheck);
    for (const remove of forwards) remove();
  }
}
