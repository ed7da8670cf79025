/** What seals the data key: the operating system's vault, behind the little that is asked of it. Every call may fail or hang. */
export interface VaultCipher {
  /** False where there is no vault on this computer, or this runtime cannot ask it. */
  isAvailable(): Promise<boolean>;
  /** True where the vault has only a key that every program knows (Linux without a keyring). Asked after `isAvailable`. */
  isWeak(): boolean;
  encrypt(text: string): Promise<Buffer>;
  /** `shouldReEncrypt`: the vault's own key was renewed, so that the text should be encrypted again. */
  decrypt(sealed: Buffer): Promise<{ text: string; shouldReEncrypt: boolean }>;
}
