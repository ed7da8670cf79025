import type { SafeStorage } from 'electron';

export interface VaultCipher {
  /** False where there is no vault on this computer, or this runtime cannot ask it. Fails where there is one that refuses. */
  isAvailable(): Promise<boolean>;
  /** True where the vault has only a key that every program knows (Linux without a keyring). Asked after `isAvailable`. */
  isWeak(): boolean;
  encrypt(text: string): Promise<Buffer>;
  /** `shouldReEncrypt`: the vault's own key was renewed, so that the text should be encrypted again. */
  decrypt(sealed: Buffer): Promise<{ text: string; shouldReEncrypt: boolean }>;
}

export const keyLength = 32;

/** The vault did not answer in time; it may wait for a password without asking for one. */
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

/** The asynchronous calls of safeStorage, which older runtimes do not have. */
type SystemVault = Pick<SafeStorage, 'getSelectedStorageBackend'> &
  Partial<Pick<SafeStorage, 'isAsyncEncryptionAvailable'>> &
  Pick<SafeStorage, 'encryptStringAsync' | 'decryptStringAsync'>;

/** Chromium's mark on Linux before a text that is encrypted with the key that every program knows. */
const knownKeyMark = 'v10';

class VaultRefused extends Error {}

/**
 * Asynchronous safeStorage only: the synchronous calls block the main process. On Windows and macOS a vault that cannot be used is locked
 * or forbidden.
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
