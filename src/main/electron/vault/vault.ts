import type { VaultView } from '#shared/host-api/index.ts';
import type { DesktopLog } from '../log.ts';
import type { Settings } from '../settings/index.ts';
import type { VaultCipher } from './vault-cipher.ts';
import type { VaultDialogs } from './vault-dialogs.ts';

/** The data key of this run, and how it is kept. */
export interface Vault {
  /** 32 bytes. */
  dataKey: Buffer;
  view(): VaultView;
  /** Asks whether a weak vault may keep this session's key from now on. Fails with `vault_unusable`. */
  askConsent(): Promise<VaultView>;
}

export interface VaultOptions {
  cipher: VaultCipher;
  /** Where `vault.key` lies. */
  folder: string;
  settings: Pick<Settings, 'get' | 'set'>;
  dialogs: VaultDialogs;
  log: DesktopLog;
  nowMs: () => number;
  /** How long one call of the vault may take, in milliseconds. */
  limitMs?: number;
}

/** A data key with how it is kept. */
export interface Opened {
  dataKey: Buffer;
  view: VaultView;
}
