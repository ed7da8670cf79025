export { openVault, vaultLimitMs } from './open-vault.ts';
export type { Trouble, Vault, VaultDialogs, VaultOptions, RecoveryChoice } from './open-vault.ts';
export { systemVaultCipher } from './system-vault-cipher.ts';
export type { VaultCipher } from './vault-cipher.ts';
