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
   * Arguments of a second start of the program that asks the first to quit. For programs with windows: on Windows they receive no
   * Ctrl-C, and a signal would end them immediately.
   */
  quitArgs?: readonly string[];
  platform?: NodeJS.Platform;
}

export interface EndingFacts {
  platform: NodeJS.Platform;
  /** With a terminal, Ctrl-C has already been sent to the child too. */
  onTerminal: boolean;
  canAskToQuit: boolean;
}

/**
 * How a child learns that it should end. `itself`: the terminal has sent Ctrl-C, and a second signal would mean ending
 * immediately. `signal`: this process sends a signal. `asks`: a second start asks it to quit. Windows only has console signals,
 * which reach every program of the console; sending another signal would end the child immediately.
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
 * Runs a program on this terminal and forwards requests to end, so that a started app closes its files before the command
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
  // npm runs scripts in a shell, and a shell that is ended does not forward the signal.
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
