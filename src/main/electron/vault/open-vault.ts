import { randomBytes } from 'node:crypto';
import { createConsent } from './consent.ts';
import { readKeyFile, writeKeyFile, type KeyFile } from './key-file.ts';
import type { Opened, Vault, VaultOptions } from './vault.ts';
import type { Trouble } from './vault-dialogs.ts';
import { keyLength, unwrap, VaultSilent, withLimit, wrap } from './wrap.ts';

/** A keychain that says nothing for so long counts as one that cannot be opened. */
const usualLimitMs = 20_000;

/**
 * Opens the data key, or makes it on the first start. A key file that cannot be opened stays as it is: a person tries
 * again, goes on with a key of this session, or quits (null). Never fails.
 */
export async function openVault(options: VaultOptions): Promise<Vault | null> {
  const cipher = withLimit(options.cipher, options.limitMs ?? usualLimitMs);
  const opened = await openWithHelp({ ...options, cipher });
  if (opened === null) return null;
  options.log.info({ vault: opened.view }, 'The vault was opened');
  return createConsent({ ...options, cipher }, opened);
}

async function openWithHelp(options: VaultOptions): Promise<Opened | null> {
  for (;;) {
    const found = await open(options);
    if (typeof found === 'object') return found;
    options.log.warn({ trouble: found }, 'The key of the vault could not be opened');
    const way = await options.dialogs.askWayOn(found);
    if (way === 'quit') return null;
    if (way === 'session') return session('unreadable');
  }
}

async function open(options: VaultOptions): Promise<Opened | Trouble> {
  const { cipher, folder, log } = options;
  const file = readKeyFile(folder);
  if (file.kind === 'damaged') return 'damaged';
  const kept = file.kind === 'found' ? file : null;
  try {
    if (await cipher.isAvailable()) return await (kept ? openFile(options, kept) : begin(options));
    return kept ? 'refused' : session('missing');
  } catch (failure) {
    if (kept) return troubleOf(failure);
    // Nothing is kept yet, so there is nothing to ask a person about.
    log.warn({ trouble: troubleOf(failure) }, 'The vault could not keep a key');
    return session('unreadable');
  }
}

/** The first start, or one after starts that kept nothing. Fails as the vault and the file system do. */
async function begin(options: VaultOptions): Promise<Opened> {
  const { cipher, folder, settings } = options;
  const weak = cipher.isWeak();
  if (weak && settings.get('weakVaultConsent') === null) return session('weak');
  const dataKey = randomBytes(keyLength);
  const wrapped = await wrap(cipher, dataKey);
  writeKeyFile(folder, { wrapped, strength: weak ? 'weak' : 'strong' });
  return { dataKey, view: { kind: weak ? 'consented' : 'sealed' } };
}

/** Fails as the vault does. */
async function openFile(options: VaultOptions, file: KeyFile): Promise<Opened> {
  const { cipher } = options;
  const { dataKey, shouldReEncrypt } = await unwrap(cipher, file.wrapped);
  const weak = cipher.isWeak();
  const stronger = file.strength === 'weak' && !weak;
  const weaker = file.strength === 'strong' && weak;
  // A vault that lost its strength does not get to wrap anew what a strong one holds.
  const renewed = (shouldReEncrypt || stronger) && !weaker && (await rewrap(options, dataKey));
  const isWeak = file.strength === 'weak' && !(stronger && renewed);
  return { dataKey, view: { kind: isWeak ? 'consented' : 'sealed' } };
}

/** False when the vault or the disk refused; the file of before still opens. */
async function rewrap({ cipher, folder, log }: VaultOptions, dataKey: Buffer): Promise<boolean> {
  try {
    const wrapped = await wrap(cipher, dataKey);
    writeKeyFile(folder, { wrapped, strength: cipher.isWeak() ? 'weak' : 'strong' });
    return true;
  } catch (failure) {
    log.warn({ trouble: troubleOf(failure) }, 'The key could not be wrapped anew');
    return false;
  }
}

function session(reason: 'weak' | 'missing' | 'unreadable'): Opened {
  return { dataKey: randomBytes(keyLength), view: { kind: 'session', reason } };
}

function troubleOf(failure: unknown): Trouble {
  return failure instanceof VaultSilent ? 'silent' : 'refused';
}
