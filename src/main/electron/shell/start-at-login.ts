import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { diskFailure } from '#shared/errors/index.ts';
import { appId } from '#shared/host-api/index.ts';

/** The system's list of programs that start with its session. */
export interface LoginStart {
  isOn(): boolean;
  set(on: boolean): void;
}

/** The file of the desktop's autostart (freedesktop.org, Desktop Application Autostart). */
export function autostartFile(
  program: () => readonly string[],
  config = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'),
): LoginStart {
  const folder = join(config, 'autostart');
  const file = join(folder, `${appId}.desktop`);
  return {
    isOn: () => existsSync(file),
    set(on) {
      try {
        if (!on) return rmSync(file, { force: true });
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, entryFor(program()));
      } catch (cause) {
        throw diskFailure(cause, 'storage_failed');
      }
    },
  };
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

/** An argument of `Exec`: quoted, with what its quoting and the format itself give a meaning escaped (Desktop Entry Specification). */
const quoted = (argument: string): string =>
  `"${argument.replaceAll(/(["`$\\])/gu, String.raw`\\$1`).replaceAll('%', '%%')}"`;
