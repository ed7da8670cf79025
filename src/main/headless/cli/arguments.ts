import { InvalidArgumentError, Option } from 'commander';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

export function dataFolderOption(description: string): Option {
  return new Option('--data, --data-folder <folder>', description).argParser((text: string) => {
    // An unset shell variable gives an empty text, which would mean the current folder.
    if (text === '') throw new InvalidArgumentError('Expected a folder.');
    return resolve(text);
  });
}

export function personalDataFolder(): string {
  return defaultDataFolder(ownEnvironment());
}

/** Names in a data folder that show that the folder contains data of a command. */
export type OwnData = 'countersign.sqlite' | 'serve';

export function earlierDataLine(
  folder: string,
  own: OwnData,
  environment: SystemEnvironment = ownEnvironment(),
): string | null {
  const earlier = applicationFolder(environment);
  if (earlier === null || folder !== defaultDataFolder(environment)) return null;
  const hasData = (one: string): boolean => existsSync(join(one, own));
  if (!hasData(earlier) || hasData(folder)) return null;
  return `Data of an earlier version is in ${earlier}. To open it: --data-folder "${earlier}"`;
}

const ownEnvironment = (): SystemEnvironment => ({
  platform: process.platform,
  env: process.env,
  home: homedir(),
});

export function campaignsOption(): Option {
  return new Option('--campaigns <number>', 'campaigns in a new demo account (default: about 400)').argParser(
    wholeNumber(1, 1_000_000),
  );
}

export function daysOption(): Option {
  return new Option(
    '--days <number>',
    'days of traffic statistics in a new demo account (default: 400)',
  ).argParser(wholeNumber(1, 4_000));
}

export function printCredentialsOption(): Option {
  return new Option('--print-credentials <form>', 'output format of addresses and credentials')
    .choices(['text', 'json'])
    .default('text');
}

export function portOption(): Option {
  return new Option('--port <number>', 'port to listen on; 0 chooses a free port')
    .argParser(wholeNumber(0, 65_535))
    .default(0);
}

export function sourceOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(wholeNumber(1, 999_999_999));
}

export function headOption(): Option {
  return new Option('--head <hash>', 'hash that you noted earlier; fails if no row has it').argParser(
    (text: string) => {
      if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('Expected 64 hexadecimal digits.');
      return text.toLowerCase();
    },
  );
}

export function keyOption(): Option {
  return new Option(
    '--key <fingerprint>',
    'fingerprint that you noted; fails if a file has another key',
  ).argParser((text: string) => {
    const digits = text.replaceAll(/[\s:-]/g, '').toLowerCase();
    if (!/^[0-9a-f]{32}$/.test(digits)) throw new InvalidArgumentError('Expected 32 hexadecimal digits.');
    return digits;
  });
}

interface SystemEnvironment {
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
  home: string;
}

/** `$XDG_DATA_HOME/countersign` or `~/.local/share/countersign`; on macOS and Windows a folder in the desktop app's folder. */
export function defaultDataFolder(environment: SystemEnvironment): string {
  const application = applicationFolder(environment);
  if (application !== null) return join(application, 'Command line');
  const { env, home } = environment;
  const dataHome = env['XDG_DATA_HOME'] ?? '';
  // The XDG specification requires ignoring a relative path.
  return join(isAbsolute(dataHome) ? dataHome : join(home, '.local', 'share'), 'countersign');
}

function applicationFolder({ platform, env, home }: SystemEnvironment): string | null {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Countersign');
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Countersign');
  return null;
}
