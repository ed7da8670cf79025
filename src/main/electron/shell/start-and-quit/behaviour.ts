import { app } from 'electron';
import { type Behaviour, appId } from '#shared/host-api/index.ts';
import { runningAppImage } from '../../platform/app-image.ts';
import type { Settings } from '../../platform/settings.ts';
import { closeMeans } from '../../windows/title-and-closing.ts';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { diskFailure } from '#shared/errors/index.ts';
import { makeFolder } from '#system/replace-file.ts';

export interface BehaviourControl {
  now(): Behaviour;
  change(change: Partial<{ [K in keyof Behaviour]: Behaviour[K] | undefined }>): Behaviour;
}

export function createBehaviour(
  settings: Pick<Settings, 'get' | 'set'>,
  login: LoginStart = systemLogin(),
): BehaviourControl {
  const now = (): Behaviour => ({
    notifications: settings.get('notifications'),
    startAtLogin: login.isOn(),
    staysInTray: closeMeans(process.platform, settings.get('staysInTray')) === 'hide',
  });
  return {
    now,
    change({ notifications, startAtLogin, staysInTray }) {
      if (notifications !== undefined) settings.set('notifications', notifications);
      if (staysInTray !== undefined) settings.set('staysInTray', staysInTray);
      if (startAtLogin !== undefined) login.set(startAtLogin);
      return now();
    },
  };
}

export function wasStartedAtLogin(args: readonly string[] = process.argv): boolean {
  if (process.platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return args.includes(atLogin);
}

function systemLogin(): LoginStart {
  if (process.platform === 'linux') return autostartFile(() => [...programNow(), atLogin]);
  // Windows stores the arguments with the entry and needs them to find it; macOS has no arguments.
  const args = process.platform === 'win32' ? { args: [atLogin] } : {};
  return {
    isOn: () => app.getLoginItemSettings(args).openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, ...args }),
  };
}

function programNow(): string[] {
  const image = runningAppImage();
  if (image !== undefined) return [image];
  return app.isPackaged ? [process.execPath] : [process.execPath, app.getAppPath()];
}

export interface LoginStart {
  isOn(): boolean;
  set(on: boolean): void;
}

const atLogin = '--at-login';

/** The autostart file of the desktop (freedesktop.org, Desktop Application Autostart). */
export function autostartFile(
  program: () => readonly string[],
  config = configFolder(process.env['XDG_CONFIG_HOME']),
): LoginStart {
  const folder = join(config, 'autostart');
  const file = join(folder, `${appId}.desktop`);
  return {
    isOn: () => isInForce(file),
    set(on) {
      try {
        if (!on) return rmSync(file, { force: true });
        makeFolder(folder);
        writeFileSync(file, entryFor(program()));
      } catch (cause) {
        throw diskFailure(cause, 'storage_failed');
      }
    },
  };
}

/** The folder for the user's settings. A relative path is ignored (XDG Base Directory Specification). */
export function configFolder(named: string | undefined): string {
  return named !== undefined && isAbsolute(named) ? named : join(homedir(), '.config');
}

function isInForce(file: string): boolean {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return false;
  }
  return !/^(?:Hidden *= *true|X-GNOME-Autostart-enabled *= *false) *$/m.test(text);
}

function entryFor(program: readonly string[]): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Countersign',
    `Exec=${program.map(quoted).join(' ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Quotes an argument of `Exec`: escapes quotation marks and `%`, then escapes the result as a string (Desktop Entry Specification). */
const quoted = (argument: string): string =>
  `"${argument
    .replaceAll(/["`$\\]/gu, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('%', '%%')}"`;
