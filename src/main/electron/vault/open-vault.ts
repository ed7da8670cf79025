import { randomBytes } from 'node:crypto';
import { AppError } from '#shared/errors/index.ts';
import type { VaultView } from '#shared/host-api/index.ts';
import { FileHeldError, writeWholeFileSync, makeFolder } from '#system/replace-file.ts';
import type { DesktopLog } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import { keyLength, unwrap, type VaultCipher, VaultSilent, withLimit, wrap } from './vault-cipher.ts';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface Vault {
  dataKey: Buffer;
  view(): VaultView;
  askConsent(): Promise<VaultView>;
  /** Makes a new data key; secrets of the old key are lost. Returns null and keeps the old key if vault or disk refuse. */
  renew(): Promise<Buffer | null>;
}

export interface VaultOptions {
  cipher: VaultCipher;
  folder: string;
  settings: Pick<Settings, 'get' | 'set'>;
  dialogs: VaultDialogs;
  log: DesktopLog;
  nowMs: () => number;
  limitMs: number;
}

interface Opened {
  dataKey: Buffer;
  view: VaultView;
}

export type VaultFailure = 'refused' | 'silent' | 'damaged' | 'unwritable';

export type RecoveryChoice = 'again' | 'session' | 'quit';

export interface VaultDialogs {
  askHowToContinue(trouble: VaultFailure, isStored: boolean): Promise<RecoveryChoice>;
  askConsent(): Promise<boolean>;
}

/** Deadline of the keychain in milliseconds. macOS asks the user for a password, which may take minutes to find. */
export function vaultLimitMs(platform: NodeJS.Platform): number {
  return platform === 'darwin' ? 5 * 60_000 : 20_000;
}

/** Opens the data key, or makes it at the first start. Null if the person quits because no vault is usable. Never fails. */
export async function openVault(options: VaultOptions): Promise<Vault | null> {
  const cipher = withLimit(options.cipher, options.limitMs);
  const opened = await openWithHelp({ ...options, cipher });
  if (opened === null) return null;
  options.log.info({ vault: opened.view }, 'The vault was opened');
  return createVault({ ...options, cipher }, opened);
}

async function openWithHelp(options: VaultOptions): Promise<Opened | null> {
  for (;;) {
    const found = await open(options);
    if ('dataKey' in found) return found;
    options.log.warn(found, 'The vault did not open');
    const choice = await options.dialogs.askHowToContinue(found.trouble, found.isStored);
    if (choice === 'quit') return null;
    if (choice === 'session') return session('unreadable');
  }
}

async function open(options: VaultOptions): Promise<Opened | { trouble: VaultFailure; isStored: boolean }> {
  const { cipher, folder } = options;
  const file = readKeyFile(folder);
  if (file.kind === 'damaged') return { trouble: 'damaged', isStored: true };
  const stored = file.kind === 'found' ? file : null;
  try {
    if (await cipher.isAvailable()) return await (stored ? openFile(options, stored) : createKey(options));
    return stored ? { trouble: 'refused', isStored: true } : session('missing');
  } catch (failure) {
    return { trouble: troubleOf(failure), isStored: stored !== null };
  }
}

async function createKey(options: VaultOptions): Promise<Opened> {
  const { cipher, folder, settings } = options;
  const weak = cipher.isWeak();
  if (weak && settings.get('weakVaultConsent') === null) return session('weak');
  const dataKey = randomBytes(keyLength);
  const wrapped = await wrap(cipher, dataKey);
  writeKeyFile(folder, { wrapped, strength: weak ? 'weak' : 'strong' });
  return { dataKey, view: { kind: weak ? 'consented' : 'sealed' } };
}

async function openFile(options: VaultOptions, file: KeyFile): Promise<Opened> {
  const { cipher } = options;
  const { dataKey, shouldReEncrypt } = await unwrap(cipher, file.wrapped);
  const weak = cipher.isWeak();
  const stronger = file.strength === 'weak' && !weak;
  const weaker = file.strength === 'strong' && weak;
  // A vault that became weak must not re-wrap a key that a strong vault protects.
  const renewed = (shouldReEncrypt || stronger) && !weaker && (await rewrap(options, dataKey));
  const isWeak = file.strength === 'weak' && !(stronger && renewed);
  return { dataKey, view: { kind: isWeak ? 'consented' : 'sealed' } };
}

async function rewrap({ cipher, folder, log }: VaultOptions, dataKey: Buffer): Promise<boolean> {
  try {
    const wrapped = await wrap(cipher, dataKey);
    writeKeyFile(folder, { wrapped, strength: cipher.isWeak() ? 'weak' : 'strong' });
    return true;
  } catch (failure) {
    log.warn({ trouble: troubleOf(failure) }, 'The key could not be wrapped again');
    return false;
  }
}

function session(reason: 'weak' | 'missing' | 'unreadable'): Opened {
  return { dataKey: randomBytes(keyLength), view: { kind: 'session', reason } };
}

function troubleOf(failure: unknown): VaultFailure {
  if (failure instanceof VaultSilent) return 'silent';
  const isOfDisk = failure instanceof FileHeldError || (failure instanceof Error && 'syscall' in failure);
  return isOfDisk ? 'unwritable' : 'refused';
}

/** Deadline per keychain call in milliseconds, because a keychain may ask a person first. If it passes, the old key is kept. */
const renewLimitMs = 8_000;

function createVault(options: VaultOptions, opened: Opened): Vault {
  const { cipher, folder, settings, dialogs, log, nowMs } = options;
  let { dataKey, view } = opened;
  let asking: Promise<VaultView> | null = null;

  async function ask(): Promise<VaultView> {
    if (view.kind !== 'session' || view.reason !== 'weak' || !(await dialogs.askConsent())) return view;
    settings.set('weakVaultConsent', { agreedAtMs: nowMs() });
    try {
      writeKeyFile(folder, { wrapped: await wrap(cipher, dataKey), strength: 'weak' });
    } catch (cause) {
      throw new AppError('vault_unusable', { cause });
    }
    view = { kind: 'consented' };
    log.info({ vault: view }, 'A person agreed that a weak vault keeps secrets');
    return view;
  }

  async function renewed(): Promise<Opened> {
    const quick = withLimit(cipher, renewLimitMs);
    const next = (await quick.isAvailable())
      ? await createKey({ ...options, cipher: quick })
      : session('missing');
    if (next.view.kind === 'session') removeKeyFile(folder);
    return next;
  }

  return {
    get dataKey() {
      return dataKey;
    },
    view: () => view,
    async renew() {
      try {
        ({ dataKey, view } = await renewed());
      } catch (failure) {
        log.warn({ trouble: troubleOf(failure) }, 'The key stays: no other could be made');
        return null;
      }
      log.info({ vault: view }, 'Another key was made');
      return dataKey;
    },
    askConsent() {
      // A second press while the dialog is open joins the same question.
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
  };
}

type Strength = 'strong' | 'weak';

interface KeyFile {
  wrapped: Buffer;
  strength: Strength;
}

/** `damaged`: the file exists but cannot be read or parsed; it may still contain the only key, so it must be kept. */
type FoundKey = { kind: 'absent' } | { kind: 'damaged' } | ({ kind: 'found' } & KeyFile);

const version = 1;

const keyFileOf = (folder: string): string => join(folder, 'vault.key');

function readKeyFile(folder: string): FoundKey {
  let text: string;
  try {
    text = readFileSync(keyFileOf(folder), 'utf8');
  } catch (failure) {
    return { kind: isNotThere(failure) ? 'absent' : 'damaged' };
  }
  return parseKeyFile(text);
}

function writeKeyFile(folder: string, { wrapped, strength }: KeyFile): void {
  makeFolder(folder, 0o700);
  const text = JSON.stringify({ version, wrapped: wrapped.toString('base64'), strength });
  writeWholeFileSync(keyFileOf(folder), `${text}\n`);
}

function removeKeyFile(folder: string): void {
  rmSync(keyFileOf(folder), { force: true });
}

function parseKeyFile(text: string): FoundKey {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { kind: 'damaged' };
  }
  if (typeof parsed !== 'object' || parsed === null) return { kind: 'damaged' };
  const found: Partial<Record<string, unknown>> = { ...parsed };
  const { wrapped, strength } = found;
  if (found['version'] !== version || typeof wrapped !== 'string' || wrapped === '')
    return { kind: 'damaged' };
  if (strength !== 'strong' && strength !== 'weak') return { kind: 'damaged' };
  return { kind: 'found', wrapped: Buffer.from(wrapped, 'base64'), strength };
}

function isNotThere(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === 'ENOENT';
}
