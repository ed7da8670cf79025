export { nativeVaultDialogs } from './native-vault-dialogs.ts';
export { openVault } from './open-vault.ts';
export type { Vault, VaultOptions } from './vault.ts';
export { systemVaultCipher } from './system-vault-cipher.ts';
export type { VaultCipher } from './vault-cipher.ts';
export type { VaultDialogs } from './vault-dialogs.ts';
