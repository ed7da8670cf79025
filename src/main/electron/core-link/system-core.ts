import { app, utilityProcess } from 'electron';
import { arrivedWord } from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { chooseProcess, refusedProcess, type Surroundings } from './choose-process.ts';
import {
  coreEnvironment,
  type CoreProcess,
  type StartCoreProcess,
  startForkedProcess,
} from './core-process.ts';

/** Starts cores beside the main bundle in `mainFolder`, in whichever process this runtime offers. */
export function systemCore(mainFolder: string, core: Surroundings['core']): StartCoreProcess {
  const choice = chooseProcess({
    core,
    nodeVersion: process.versions.node,
    isPackaged: app.isPackaged,
    platform: process.platform,
    mainFolder,
  });
  return () => {
    switch (choice.kind) {
      case 'utility':
        return startUtilityProcess(choice.file, serviceNames[core]);
      case 'fork':
        return startForkedProcess(choice.file, choice.execPath);
      case 'refused':
        return refusedProcess(choice.error);
      default:
        return assertNever(choice);
    }
  };
}

const serviceNames = { 'core.js': 'Countersign core', 'training-core.js': 'Countersign training' } as const;

/** A core in a child process of Electron's own. After `ready` of the app only. */
export function startUtilityProcess(file: string, serviceName: string): CoreProcess {
  const child = utilityProcess.fork(file, [], {
    serviceName,
    env: coreEnvironment(process.env),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const messageListeners: ((message: unknown) => void)[] = [];
  child.on('message', (message: unknown) => {
    if (message === arrivedWord) child.postMessage(arrivedWord);
    else for (const listener of messageListeners) listener(message);
  });
  // Electron's own kill() asks politely, and a core that hangs does not hear it.
  const end = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(child.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  };
  return {
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void messageListeners.push(listener),
    onExit: (listener) => void child.once('exit', listener),
    kill() {
      if (child.pid === undefined) child.once('spawn', end);
      else end();
    },
  };
}
