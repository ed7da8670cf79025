import { createHash } from 'node:crypto';
import type { BackendReader } from '#core/store/backend/index.ts';

/** Hash of these campaigns as they are stored; null when one of them is absent or another member's. */
export function revisionOf(read: BackendReader, uid: number, cids: readonly number[]): string | null {
  const hash = createHash('sha256');
  for (const cid of cids) {
    const text = read.payload(uid, cid);
    if (text === null) return null;
    hash.update(`${cid} ${text.length} ${text}\n`);
  }
  return hash.digest('hex');
}
