import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { sha256 } from '../row-hash.ts';

/** What stands outside the table: how many rows there are, the hash of the last, and a signature over both. */
export interface Anchor {
  count: number;
  head: string;
  /** The key that signed the row at `count` and this anchor. */
  keyId: string;
  /** Ed25519 over the 32 bytes of {@link anchorHash}, base64url. */
  signature: string;
}

/** The hash that an anchor's signature covers. `purpose` keeps it from ever being a row's. */
export function anchorHash({ count, head, keyId }: Omit<Anchor, 'signature'>): string {
  return sha256(canonicalJson({ purpose: 'countersign ledger anchor', count, head, keyId }));
}
