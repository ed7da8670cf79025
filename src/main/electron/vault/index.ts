export {
  openVault,
  vaultLimitMs,
  type Trouble,
  type Vault,
  type VaultDialogs,
  type VaultOptions,
  type RecoveryChoice,
} from './open-vault.ts';
export { systemVaultCipher, type VaultCipher } from './vault-cipher.ts';
