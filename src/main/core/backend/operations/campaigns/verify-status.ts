import { statusNames } from '#shared/contract/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import type { Verification } from '../write-kind.ts';

/** What the campaigns have now; how many of them have what was committed. */
export function verifyStatus(
  found: ReadonlyMap<number, StatusCode>,
  committed: { ids: readonly number[]; status: StatusCode },
): Verification {
  const { ids, status } = committed;
  const campaigns = ids.map((cid) => {
    const now = found.get(cid);
    return { cid, status: now ?? null, status_name: now === undefined ? null : statusNames[now] };
  });
  const count = campaigns.filter(({ status: now }) => now === status).length;
  const stored = count === ids.length ? 'all' : count === 0 ? 'none' : 'part';
  return { stored, data: { asked: ids.length, storedCount: count, campaigns } };
}
