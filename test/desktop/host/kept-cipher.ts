import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { VaultCipher } from '#electron/vault/vault-cipher.ts';

const key = createHash('sha256').update('the vault of a test').digest();
const iv = Buffer.alloc(16);

/** A strong vault that is available and has the same key at every start. */
export function createKeptCipher(): VaultCipher {
  return {
    isAvailable: async () => true,
    isWeak: () => false,
    async encrypt(text) {
      const cipher = createCipheriv('aes-256-ctr', key, iv);
      return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    },
    async decrypt(sealed) {
      const cipher = createDecipheriv('aes-256-ctr', key, iv);
      const text = Buffer.concat([cipher.update(sealed), cipher.final()]).toString('utf8');
      return { text, shouldReEncrypt: false };
    },
  };
}
