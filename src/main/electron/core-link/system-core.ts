import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, utilityProcess } from 'electron';
import { arrivedWord } from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import {
  chooseProcess,
  type RuntimeEnvironment,
  coreEnvironment,
  type CoreProcess,
  type StartCoreProcess,
  startForkedProcess,
} from './core-process.ts';

export function systemCore(mainFolder: string, core: RuntimeEnvironment['core']): StartCoreProcess {
  const choice = chooseProcess({
    core,
    loadsBinding: () => loadsBinding(mainFolder),
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
      default:
        return assertNever(choice);
    }
  };
}

const askLimitMs = 10_000;

/** Opens a database in another process of this runtime as plain Node, which works only in a checkout. */
function loadsBinding(folder: string): boolean {
  const path = join(folder, '../../node_modules/better-sqlite3');
  const line = `new (require(${JSON.stringify(path)}))(':memory:')`;
  const { status } = spawnSync(process.execPath, ['-e', line], {
    // Runs outside the checkout, because a crashing process may leave a core dump in its folder.
    cwd: tmpdir(),
    env: { ...coreEnvironment(process.env), ELECTRON_RUN_AS_NODE: '1' },
    stdio: 'ignore',
    timeout: askLimitMs,
  });
  return status === 0;
}

const serviceNames = { 'core.cjs': 'Countersign core', 'training-core.cjs': 'Countersign training' } as const;

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
  // Electron's kill() sends SIGTERM, which a hanging core does not handle.
  const end = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(child.pid, 'SIGKILL');
    } catch {
      // The process has already exited.
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
