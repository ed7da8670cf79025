import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { diskFailure } from '#shared/errors/index.ts';
import { appId } from '#shared/host-api/index.ts';
import { makeFolder } from '#system/make-folder.ts';

export interface LoginStart {
  isOn(): boolean;
  set(on: boolean): void;
}

export const atLogin = '--at-login';

/** The file of the desktop's autostart (freedesktop.org, Desktop Application Autostart). */
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

/** The folder of the person's settings; a relative one counts as none (XDG Base Directory Specification). */
export function configFolder(named: string | undefined): string {
  return named !== undefined && isAbsolute(named) ? named : join(homedir(), '.config');
}

/** False without an entry, and for one that a tool of the desktop switched off, which it does in the file. */
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

/**
 * An argument of `Exec`: quoted, with what its quoting and the format itself give a meaning escaped, and then with the backslashes
 * of that escaped as those of every string (Desktop Entry Specification).
 */
const quoted = (argument: string): string =>
  `"${argument
    .replaceAll(/["`$\\]/gu, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('%', '%%')}"`;
