import type { VaultCipher } from '#electron/vault/vault-cipher.ts';

/** A vault that XORs texts with a byte, so that a text encrypted with another byte does not decrypt. */
export interface FakeCipher extends VaultCipher {
  mood: {
    available: boolean;
    weak: boolean;
    /** Represents the keychain's own key. */
    byte: number;
    /** The failure of the next calls. */
    trouble: 'none' | 'throws' | 'hangs';
    shouldReEncrypt: boolean;
  };
  /** The calls that were made. */
  calls: string[];
}

/** Creates a strong vault that is available and answers. */
export function fakeCipher(mood: Partial<FakeCipher['mood']> = {}): FakeCipher {
  const calls: string[] = [];
  const now = {
    available: true,
    weak: false,
    byte: 90,
    trouble: 'none' as const,
    shouldReEncrypt: false,
    ...mood,
  };
  const cipher: FakeCipher = {
    mood: now,
    calls,
    isAvailable: () => answer('isAvailable', () => cipher.mood.available),
    isWeak: () => cipher.mood.weak,
    encrypt: (text) => answer('encrypt', () => mixed(Buffer.from(`sealed:${text}`))),
    decrypt: (sealed) =>
      answer('decrypt', () => {
        const text = mixed(sealed).toString();
        if (!text.startsWith('sealed:')) throw new Error('The keychain has another key');
        return { text: text.slice(7), shouldReEncrypt: cipher.mood.shouldReEncrypt };
      }),
  };
  const mixed = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ cipher.mood.byte));
  async function answer<T>(name: string, make: () => T): Promise<T> {
    calls.push(name);
    if (cipher.mood.trouble === 'hangs') return new Promise<T>(() => {});
    if (cipher.mood.trouble === 'throws') throw new Error('The keychain is locked');
    return make();
  }
  return cipher;
}
