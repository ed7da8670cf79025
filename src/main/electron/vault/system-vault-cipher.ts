import { safeStorage } from 'electron';
import type { VaultCipher } from './vault-cipher.ts';

/** Chromium's mark on Linux before a text that is encrypted with the key that every program knows. */
const knownKeyMark = 'v10';

/**
 * The operating system's vault through asynchronous safeStorage. The synchronous calls are never used: they block the
 * main process on the keychain. Where the asynchronous ones do not exist, the vault is missing.
 */
export function systemVaultCipher(): VaultCipher {
  const onLinux = process.platform === 'linux';
  let knownKey = false;
  return {
    async isAvailable() {
      if (typeof safeStorage.isAsyncEncryptionAvailable !== 'function') return false;
      if (!(await safeStorage.isAsyncEncryptionAvailable())) return false;
      // The asynchronous calls choose their own keyring, so the name of the synchronous ones' is not the whole answer.
      if (onLinux) knownKey = isKnownKey(await safeStorage.encryptStringAsync('which key?'));
      return true;
    },
    isWeak() {
      if (!onLinux) return false;
      const backend = safeStorage.getSelectedStorageBackend();
      return knownKey || backend === 'basic_text' || backend === 'unknown';
    },
    encrypt: (text) => safeStorage.encryptStringAsync(text),
    async decrypt(sealed) {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(sealed);
      return { text: result, shouldReEncrypt };
    },
  };
}

function isKnownKey(sealed: Buffer): boolean {
  return sealed.subarray(0, knownKeyMark.length).toString('latin1') === knownKeyMark;
}
