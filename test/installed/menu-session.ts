import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFile } from '../servers/stored-rows.ts';
import { userName, type CleanRoot } from './clean-root.ts';

/** A process of the session, as the host sees it. */
export interface SessionProcess {
  pid: number;
  command: string[];
  /** The user namespace of the process. */
  users: string;
  /** The kernel's seccomp mode of the process: 2 is a filter. */
  seccomp: string;
}

interface LogLine {
  time: string;
  msg: string;
  code?: string;
}

/** A desktop of the plain user, on which the app was started from its menu entry. */
export interface MenuSession {
  /** Returns the processes of the installed program. */
  processes(): SessionProcess[];
  /** Resolves when the app's window exists. */
  isOpen(): Promise<void>;
  /** Resolves with the milliseconds from the click in the menu until the first campaigns were painted. */
  firstRowsMs(): Promise<number>;
  /** Returns the lines of one of the app's logs, oldest first. */
  log(file: 'countersign.log' | 'desktop.log'): LogLine[];
  /** Presses keys, or types text, in the window whose title contains this text. */
  press(title: string, ...keys: string[]): Promise<void>;
  type(title: string, text: string): Promise<void>;
  /** Reads one value from a database of the app; undefined while the value does not exist. */
  value(file: string, sql: string, ...parameters: unknown[]): unknown;
  /** Quits the app with its shortcut and resolves when none of its processes is left. */
  quit(): Promise<void>;
  close(): Promise<void>;
}

/** The app's data folder of the plain user, relative to the root. */
export const dataFolder = `home/${userName}/.config/Countersign/data`;

/** Packages of the desktop, in addition to the app's own dependencies. */
export const desktopPackages = 'xvfb openbox xdotool x11-utils dbus-x11 libglib2.0-bin';

/** One display per run. Other tests' X servers use small numbers. */
const display = `:${2000 + (process.pid % 10_000)}`;

/** Contains the time in milliseconds at which the menu entry was clicked. */
const pressedFile = '/tmp/pressed';

const desktop = `
  export DISPLAY=${display}
  # A server that was killed has left its lock, with a number of a process that is another one's by now.
  rm -f /tmp/.X*-lock /tmp/.X11-unix/*
  Xvfb $DISPLAY -screen 0 1440x900x24 -nolisten tcp -noreset &
  until xdpyinfo > /dev/null 2>&1; do sleep 0.1; done
  openbox &
  exec dbus-run-session -- sh -c 'date +%s%3N > ${pressedFile}; gio launch /usr/share/applications/countersign.desktop; exec sleep infinity'`;

/** Starts the desktop and clicks the app's entry in its menu. */
export function startFromMenu(root: CleanRoot): MenuSession {
  // Removes the time of an earlier session.
  rmSync(join(root.folder, pressedFile), { force: true });
  const session = root.startAsUser(desktop);
  const said: string[] = [];
  session.stderr?.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const inWindow = (title: string, action: string): string =>
    `export DISPLAY=${display}; until xdpyinfo > /dev/null 2>&1; do sleep 0.2; done; xdotool search --sync --onlyvisible --name '${title}' windowactivate --sync %1 ${action}`;
  const processes = (): SessionProcess[] => processesBelow(session.pid ?? 0);
  const data = join(root.folder, dataFolder);
  const log: MenuSession['log'] = (file) =>
    textIn(join(data, 'logs', file))
      .split('\n')
      // The last line may still be incomplete.
      .slice(0, -1)
      .map((line) => JSON.parse(line) as LogLine);

  return {
    processes,
    async isOpen() {
      await root.asUser(inWindow('Countersign', ''));
    },
    log,
    async firstRowsMs() {
      for (let waits = 0; waits < 600; waits += 1) {
        const pressedAtMs = Number(textIn(join(root.folder, pressedFile)));
        const painted = log('desktop.log').findLast(({ msg }) => msg === 'The first campaigns are painted');
        const paintedAtMs = Date.parse(painted?.time ?? '');
        if (pressedAtMs > 0 && paintedAtMs > pressedAtMs) return paintedAtMs - pressedAtMs;
        await sleep(100);
      }
      throw new Error(`The app painted no campaigns:\n${said.join('')}`);
    },
    async press(title, ...keys) {
      await root.asUser(inWindow(title, `key --delay 120 ${keys.join(' ')}`));
    },
    async type(title, text) {
      await root.asUser(inWindow(title, `type --delay 40 '${text}'`));
    },
    value(file, sql, ...parameters) {
      try {
        return readFile(join(data, file), (db) =>
          db
            .prepare(sql)
            .pluck()
            .get(...parameters),
        );
      } catch {
        return undefined;
      }
    },
    async quit() {
      // The window may be gone before the key is released, which xdotool reports as a failure. The processes show
      // whether the app quit.
      await root.asUser(inWindow('Countersign', 'key ctrl+q || true'));
      for (let waits = 0; processes().length > 0; waits += 1) {
        if (waits === 150) throw new Error(`The app did not quit:\n${said.join('')}`);
        await sleep(200);
      }
    },
    async close() {
      if (session.exitCode !== null || session.signalCode !== null) return;
      const ended = new Promise((resolve) => session.once('close', resolve));
      session.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * Returns the app's processes below this process. A sandboxed process has another number in its own namespace; the result has
 * the host's number.
 */
function processesBelow(ancestor: number): SessionProcess[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [
        Number(name),
        Number(/^PPid:\s+(\d+)/m.exec(textOf(Number(name), 'status'))?.[1] ?? 0),
      ]),
  );
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0;
    return parent === ancestor || (parent > 1 && isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow).flatMap((pid) => {
    // Chromium writes the command line of a forked process as a single text.
    const command = textOf(pid, 'cmdline')
      .split(/[\0 ]/)
      .filter((part) => part !== '');
    // The core is started as /proc/self/exe.
    if (!/^\/(?:opt\/countersign\/countersign|proc\/self\/exe)$/.test(command[0] ?? '')) return [];
    const seccomp = /^Seccomp:\s+(\d)/m.exec(textOf(pid, 'status'))?.[1] ?? '';
    return [{ pid, command, users: namespaceOf(pid, 'user'), seccomp }];
  });
}

function namespaceOf(pid: number, name: string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/${name}`);
  } catch {
    return '';
  }
}

const textOf = (pid: number, name: string): string => textIn(`/proc/${pid}/${name}`);

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
