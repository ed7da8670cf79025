import type { VaultView } from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { DesktopState } from './desktop-store.ts';

/** What a person should know about where secrets go. */
export interface VaultNotice {
  why: string;
  /** True where a person may let a weak vault keep them. */
  mayKeep: boolean;
}

/** The notice to show now: null where secrets are kept well, by consent, or where it was read. */
export function vaultNotice({
  vault,
  noticeRead,
}: Pick<DesktopState, 'vault' | 'noticeRead'>): VaultNotice | null {
  if (vault?.kind !== 'session' || noticeRead) return null;
  return { why: why(vault.reason), mayKeep: vault.reason === 'weak' };
}

function why(reason: Extract<VaultView, { kind: 'session' }>['reason']): string {
  switch (reason) {
    case 'weak':
      return 'This system has no keyring that protects secrets. Countersign can keep them in a file of yours instead, if you want that.';
    case 'missing':
      return 'No keychain of this system can be used.';
    case 'unreadable':
      return 'The keychain of this system did not open the key that secrets are kept with. What is stored stays as it is; the next start tries again.';
    default:
      return assertNever(reason);
  }
}
