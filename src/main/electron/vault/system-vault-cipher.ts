import type { SafeStorage } from 'electron';
import type { VaultCipher } from './vault-cipher.ts';

/** The asynchronous calls of safeStorage, which older runtimes do not have. */
export type SystemVault = Pick<SafeStorage, 'getSelectedStorageBackend'> &
  Partial<Pick<SafeStorage, 'isAsyncEncryptionAvailable'>> &
  Pick<SafeStorage, 'encryptStringAsync' | 'decryptStringAsync'>;

/** Chromium's mark on Linux before a text that is encrypted with the key that every program knows. */
const knownKeyMark = 'v10';

/** The vault is part of the system, and does not serve this program. */
class VaultRefused extends Error {}

/**
 * The operating system's vault through asynchronous safeStorage. The synchronous calls are never used: they block the
 * main process on the keychain. Where the asynchronous ones do not exist, the vault is missing. Windows and macOS always have one:
 * one that cannot be used there is locked, broken or was forbidden, which the person can change.
 */
export function systemVaultCipher(vault: SystemVault, platform: NodeJS.Platform): VaultCipher {
  const onLinux = platform === 'linux';
  let knownKey = false;
  return {
    async isAvailable() {
      if (typeof vault.isAsyncEncryptionAvailable !== 'function') return false;
      if (!(await vault.isAsyncEncryptionAvailable())) {
        if (onLinux) return false;
        throw new VaultRefused('The system’s vault cannot be used');
      }
      // The asynchronous calls choose their own keyring, so the name of the synchronous ones' is not the whole answer.
      if (onLinux) knownKey = isKnownKey(await vault.encryptStringAsync('which key?'));
      return true;
    },
    isWeak() {
      if (!onLinux) return false;
      const backend = vault.getSelectedStorageBackend();
      return knownKey || backend === 'basic_text' || backend === 'unknown';
    },
    encrypt: (text) => vault.encryptStringAsync(text),
    async decrypt(sealed) {
      const { result, shouldReEncrypt } = await vault.decryptStringAsync(sealed);
      return { text: result, shouldReEncrypt };
    },
  };
}

function isKnownKey(sealed: Buffer): boolean {
  return sealed.subarray(0, knownKeyMark.length).toString('latin1') === knownKeyMark;
}
