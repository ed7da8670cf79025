import { spawn } from 'node:child_process';
import { coreEnvironment } from './core-environment.ts';
import type { CoreProcess } from './core-process.ts';

/** A core in a process of another Node: while developing, and in tests on a runtime whose own Node is too old. */
export function startForkedProcess(file: string, execPath: string): CoreProcess {
  // Not fork(): inside Electron that adds ELECTRON_RUN_AS_NODE to the environment.
  const child = spawn(execPath, [file], {
    env: coreEnvironment(process.env),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let hasExited = false;
  const exitListeners: ((code: number | null) => void)[] = [];
  const exit = (code: number | null): void => {
    if (hasExited) return;
    hasExited = true;
    for (const listener of exitListeners) listener(code);
  };
  // Not `exit`: that may come before the last words have been read.
  child.once('close', exit);
  child.on('error', () => {
    // A message that could not be sent, or a program that is not there; only the second leaves no process.
    if (child.pid === undefined) exit(null);
  });
  return {
    send(message) {
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void exitListeners.push(listener),
    kill: () => void child.kill('SIGKILL'),
  };
}
