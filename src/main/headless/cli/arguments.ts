import { InvalidArgumentError, Option } from 'commander';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { checkAddresses, createAdministratorPolicy, type PolicyPlace, silentLogger } from '#core/public.ts';
import type { ServiceAddresses } from '#shared/app-api/index.ts';

/** A parser for a whole number within limits; commander names the option when it fails. */
function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** `--data-folder`, or `--data` for short, with a default that belongs to this user on this system. */
export function dataFolderOption(description: string): Option {
  return new Option('--data, --data-folder <folder>', description).argParser((text: string) => {
    // An unset variable of a shell leaves it empty, which would be the current folder.
    if (text === '') throw new InvalidArgumentError('Expected a folder.');
    return resolve(text);
  });
}

export function personalDataFolder(): string {
  return defaultDataFolder(ownSurroundings());
}

/** Names in a data folder by which a command knows its data. */
export type OwnData = 'countersign.sqlite' | 'serve';

/** One line about data of an earlier version that this command does not open; null where there is none. */
export function earlierDataLine(
  folder: string,
  own: OwnData,
  surroundings: SystemEnvironment = ownSurroundings(),
): string | null {
  const earlier = applicationFolder(surroundings);
  if (earlier === null || folder !== defaultDataFolder(surroundings)) return null;
  const hasData = (one: string): boolean => existsSync(join(one, own));
  if (!hasData(earlier) || hasData(folder)) return null;
  return `The data of an earlier version lies in ${earlier}. To open it: --data-folder "${earlier}"`;
}

const ownSurroundings = (): SystemEnvironment => ({
  platform: process.platform,
  env: process.env,
  home: homedir(),
});

/** `--campaigns`: how many the demo account has; counts on the first start of a data folder only. */
export function campaignsOption(): Option {
  return new Option(
    '--campaigns <number>',
    'campaigns of the demo account, when the folder is new (default: about 400)',
  ).argParser(wholeNumber(1, 1_000_000));
}

/** `--days`: how many days of statistics there are, today included. */
export function daysOption(): Option {
  return new Option(
    '--days <number>',
    'days of traffic statistics, when the folder is new (default: 400)',
  ).argParser(wholeNumber(1, 4_000));
}

/** `--print-credentials`: for people, or one JSON document for scripts. */
export function printCredentialsOption(): Option {
  return new Option('--print-credentials <form>', 'output format of addresses and credentials')
    .choices(['text', 'json'])
    .default('text');
}

/** `--port`; 0 takes any free one. */
export function portOption(): Option {
  return new Option('--port <number>', 'port to listen on; 0 takes any free one')
    .argParser(wholeNumber(0, 65_535))
    .default(0);
}

/** `--tid` and `--sid`. */
export function sourceOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(wholeNumber(1, 999_999_999));
}

/** `--head`: a row's hash, noted earlier. */
export function headOption(): Option {
  return new Option('--head <hash>', 'a hash noted earlier: some row must still have it').argParser(
    (text: string) => {
      if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('Expected 64 hexadecimal digits.');
      return text.toLowerCase();
    },
  );
}

/** `--key`: a key's fingerprint, noted earlier; its groups may be set apart in any way. */
export function keyOption(): Option {
  return new Option(
    '--key <fingerprint>',
    'the fingerprint that you noted: every file must have this key',
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

/**
 * The default data folder: `$XDG_DATA_HOME/countersign` or `~/.local/share/countersign`; on macOS and Windows a folder of its own
 * within the application's, which is the desktop app's.
 */
export function defaultDataFolder(surroundings: SystemEnvironment): string {
  const application = applicationFolder(surroundings);
  if (application !== null) return join(application, 'Command line');
  const { env, home } = surroundings;
  const dataHome = env['XDG_DATA_HOME'] ?? '';
  // The XDG specification: a relative path is to be ignored.
  return join(isAbsolute(dataHome) ? dataHome : join(home, '.local', 'share'), 'countersign');
}

/** The application's folder on macOS and Windows, which Electron uses as well; null elsewhere. */
function applicationFolder({ platform, env, home }: SystemEnvironment): string | null {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Countersign');
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Countersign');
  return null;
}

interface WrittenAddresses {
  /** `{mcp_url}`. */
  url: string;
  /** `{base_url}`, where it is not `/api/v1` below the first. */
  baseUrl?: string;
  /** `{api_url}`, where it is not the first. */
  apiUrl?: string;
}

/** The three addresses, or what is wrong with each in the words of the command line. */
export function readAddresses({
  url,
  baseUrl,
  apiUrl,
}: WrittenAddresses): { kind: 'fine'; addresses: ServiceAddresses } | { kind: 'refused'; faults: string[] } {
  const origin = url.trim().replace(/\/$/, '');
  const checked = checkAddresses({
    mcpUrl: url,
    baseUrl: baseUrl ?? `${origin}/api/v1`,
    apiUrl: apiUrl ?? origin,
  });
  if (checked.kind === 'fine') return checked;
  const names: Readonly<Record<string, string | undefined>> = {
    mcpUrl: '<url>',
    baseUrl: baseUrl === undefined ? undefined : '--base-url',
    apiUrl: apiUrl === undefined ? undefined : '--api-url',
  };
  // Addresses derived from <url> are wrong where <url> is, and that is said once.
  const faults = checked.fields.flatMap(({ field, message }) => {
    const name = names[field];
    return name === undefined ? [] : [`${name}: ${message}`];
  });
  return { kind: 'refused', faults };
}

/** Passes for a service that this computer's administrator allows. Fails with `service_not_allowed` or `policy_unusable`. */
export function assertServiceAllowed(addresses: ServiceAddresses, place?: PolicyPlace): void {
  createAdministratorPolicy({ place, logger: silentLogger, emit() {} }).assertAllowed(addresses);
}

/** Where the credentials come from: every user of a machine can read command lines. */
export const credentialVariables = {
  memberToken: 'COUNTERSIGN_MEMBER_TOKEN',
  publisherKey: 'COUNTERSIGN_PUBLISHER_KEY',
} as const;

/** A credential that is there, or not; `refused` where no request could carry it. */
type GivenCredential = { kind: 'given'; value: string } | { kind: 'missing' } | { kind: 'refused' };

/** Takes a credential out of the environment, so that no program started from here inherits it. */
export function takeCredential(variable: string, env: Record<string, string | undefined>): GivenCredential {
  const value = (env[variable] ?? '').trim().replace(/^Bearer +/i, '');
  delete env[variable];
  if (value === '') return { kind: 'missing' };
  return /^[\x21-\x7e]{1,8000}$/.test(value) ? { kind: 'given', value } : { kind: 'refused' };
}
