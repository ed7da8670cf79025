import { utilityProcess } from 'electron';
import { coreEnvironment } from './core-environment.ts';
import type { CoreProcess } from './core-process.ts';

/** A core in a child process of Electron's own. After `ready` of the app only. */
export function startUtilityProcess(file: string): CoreProcess {
  const child = utilityProcess.fork(file, [], {
    serviceName: 'Countersign core',
    env: coreEnvironment(process.env),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // Electron's own kill() asks politely, and a core that hangs does not hear it.
  const end = (): void => {
    if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
  };
  return {
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', listener),
    kill() {
      if (child.pid === undefined) child.once('spawn', end);
      else end();
    },
  };
}
