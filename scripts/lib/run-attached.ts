import { spawn } from 'node:child_process';
import { projectRoot } from './run-tool.ts';

/** Signals that end this process: the child gets them and decides when it is done. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How a shell reports an end by a signal, for the signals above. */
const exitCodes: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** How often a vanished parent is looked for, in milliseconds. */
const orphanCheckMs = 500;

/** Runs a script of ours on this Node, as {@link runProgramAttached} does. */
export async function runAttached(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  return runProgramAttached(process.execPath, [script, ...args], env);
}

/**
 * Runs a program with our own terminal and hands endings on, so that a started app closes its files before the command
 * returns. Resolves to the exit code.
 */
export async function runProgramAttached(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const child = spawn(program, args, { cwd: projectRoot, stdio: 'inherit', env });
  const forwards = endings.map((signal) => {
    // A Ctrl-C reaches the child from the terminal itself; a second copy would look like impatience.
    const forward = () => void (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal));
    process.on(signal, forward);
    return { signal, forward };
  });
  // npm runs scripts through a shell, and a shell that is ended does not hand the signal on.
  const parent = process.ppid;
  const orphanCheck = setInterval(
    () => void (process.ppid !== parent && child.kill('SIGTERM')),
    orphanCheckMs,
  );
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? (signal && exitCodes[signal]) ?? 1));
    });
  } finally {
    clearInterval(orphanCheck);
    for (const { signal, forward } of forwards) process.off(signal, forward);
  }
}
