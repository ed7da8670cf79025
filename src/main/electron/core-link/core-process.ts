import { spawn } from 'node:child_process';
import type { HostMessage } from '#shared/host-api/index.ts';
import { join } from 'node:path';

export interface CoreProcess {
  send(message: HostMessage): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, after the last message, however it ended. The code is for the log: may be null, and Electron sometimes reports 0. */
  onExit(listener: (code: number | null) => void): void;
  kill(): void;
}

/** Starts a process. Never throws: a process that cannot start exits. */
export type StartCoreProcess = () => CoreProcess;

/** Starts the core with another Node: during development, and in tests on a runtime whose own Node is too old. */
export function startForkedProcess(file: string, execPath: string): CoreProcess {
  // fork() would add ELECTRON_RUN_AS_NODE to the environment inside Electron.
  const child = spawn(execPath, [file], {
    env: coreEnvironment(process.env),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // On Windows a program without a console would open a console window.
    windowsHide: true,
  });
  let hasExited = false;
  const exitListeners: ((code: number | null) => void)[] = [];
  const exit = (code: number | null): void => {
    if (hasExited) return;
    hasExited = true;
    for (const listener of exitListeners) listener(code);
  };
  // `exit` may come before the last messages have been read.
  child.once('close', exit);
  child.on('error', () => {
    // Either a message could not be sent, or the program does not exist. Only in the second case there is no process.
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

const inherited = new Set(
  `
  HOME LANG LANGUAGE LOGNAME PATH TEMP TMP TMPDIR TZ USER APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA
  NUMBER_OF_PROCESSORS OS PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA SYSTEMDRIVE SYSTEMROOT USERDOMAIN
  USERNAME USERPROFILE WINDIR __CF_USER_TEXT_ENCODING`
    .trim()
    .split(/\s+/),
);

/** An allow-list of names, in any case as on Windows, so that no option of Node or Electron and no credential is inherited. */
export function coreEnvironment(ours: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    if (value !== undefined && isInherited(name.toUpperCase())) chosen[name] = value;
  }
  return chosen;
}

function isInherited(name: string): boolean {
  return inherited.has(name) || name.startsWith('LC_') || name.startsWith('XDG_');
}

export interface RuntimeEnvironment {
  /** Tests in another process whether the database binding loads in this runtime, because a wrong binding may crash the process. */
  loadsBinding(): boolean;
  isPackaged: boolean;
  platform: NodeJS.Platform;
  mainFolder: string;
  core: 'core.cjs' | 'training-core.cjs';
}

type ProcessChoice = { kind: 'utility'; file: string } | { kind: 'fork'; file: string; execPath: string };

/** Electron's utility process if the binding loads in it. A checkout may use the installed Node instead; a package never does. */
export function chooseProcess(environment: RuntimeEnvironment): ProcessChoice {
  const { loadsBinding, isPackaged, platform, mainFolder, core } = environment;
  const file = join(mainFolder, core);
  if (isPackaged || loadsBinding()) return { kind: 'utility', file };
  const program = platform === 'win32' ? 'node.exe' : 'node';
  return { kind: 'fork', file, execPath: join(mainFolder, '../../node_modules/node/bin', program) };
}
