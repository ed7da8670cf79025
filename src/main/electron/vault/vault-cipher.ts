import type { SafeStorage } from 'electron';

export interface VaultCipher {
  /** False if this computer has no vault, or this runtime cannot use it. Fails if the vault refuses. */
  isAvailable(): Promise<boolean>;
  /** True if the vault only has a key that every program knows (Linux without a keyring). Call it after `isAvailable`. */
  isWeak(): boolean;
  encrypt(text: string): Promise<Buffer>;
  /** `shouldReEncrypt`: the vault renewed its own key, so the text should be encrypted again. */
  decrypt(sealed: Buffer): Promise<{ text: string; shouldReEncrypt: boolean }>;
}

export const keyLength = 32;

/** The vault did not answer in time. It may wait for a password without showing a prompt. */
export class VaultSilent extends Error {}

class NotAKey extends Error {}

export function withLimit(cipher: VaultCipher, limitMs: number): VaultCipher {
  const limited = async <T>(call: () => Promise<T>): Promise<T> => {
    const silent = Promise.withResolvers<never>();
    const timer = setTimeout(() => silent.reject(new VaultSilent(`No answer within ${limitMs} ms`)), limitMs);
    try {
      return await Promise.race([call(), silent.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    isAvailable: () => limited(() => cipher.isAvailable()),
    isWeak: () => cipher.isWeak(),
    encrypt: (text) => limited(() => cipher.encrypt(text)),
    decrypt: (sealed) => limited(() => cipher.decrypt(sealed)),
  };
}

export function wrap(cipher: VaultCipher, dataKey: Buffer): Promise<Buffer> {
  return cipher.encrypt(dataKey.toString('base64'));
}

export async function unwrap(
  cipher: VaultCipher,
  wrapped: Buffer,
): Promise<{ dataKey: Buffer; shouldReEncrypt: boolean }> {
  const { text, shouldReEncrypt } = await cipher.decrypt(wrapped);
  const dataKey = Buffer.from(text, 'base64');
  if (dataKey.length !== keyLength || dataKey.toString('base64') !== text)
    throw new NotAKey('Not a data key');
  return { dataKey, shouldReEncrypt };
}

/** The asynchronous calls of safeStorage. They are declared here because older runtimes do not have them. */
type SystemVault = Pick<SafeStorage, 'getSelectedStorageBackend'> &
  Partial<Pick<SafeStorage, 'isAsyncEncryptionAvailable'>> &
  Pick<SafeStorage, 'encryptStringAsync' | 'decryptStringAsync'>;

/**
 * Chromium's prefix on Linux of a text that is not protected, because it is encrypted with the key that every program knows.
 */
const knownKeyMark = 'v10';

class VaultRefused extends Error {}

/**
 * Uses only asynchronous safeStorage, because the synchronous calls block the main process. An unusable vault on Windows and
 * macOS is locked or forbidden, not missing.
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
      // The asynchronous calls choose their own keyring, so the backend of the synchronous calls is not the answer.
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
