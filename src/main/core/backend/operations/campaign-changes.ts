import { createHash } from 'node:crypto';
import { runs } from '#shared/campaign/index.ts';
import type { ServiceMoment } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { BackendReader } from '#core/store/backend/index.ts';
import { storedText } from '../uploads/picture-origin.ts';
import { usualFormats } from '#shared/lib/formats.ts';

/** Maximum number of campaigns that a sentence names. */
const maxNamed = 5;

const active = 1;

/** Warns of each 0 that the change introduces. */
export function zeroWarnings(before: JsonObject, after: JsonObject): string[] {
  const becomes = (field: string, value: number): boolean =>
    after[field] === value && before[field] !== value;
  return [
    ...(becomes('enable_budget', 0)
      ? ['Budget limits are switched off: daily and total budget no longer count.']
      : []),
    ...(becomes('t_revenue', 0) ? ['A total budget of 0 means unlimited.'] : []),
  ];
}

/** Campaigns that are to run though their flight is over, as they would be stored. */
export function flightWarnings(campaigns: readonly JsonObject[], today: ServiceMoment): string[] {
  const over = campaigns.filter(
    ({ status, enable_time: hasFlight, expire }) =>
      runs(status) && hasFlight === 1 && typeof expire === 'string' && expire !== '' && expire < today.date,
  );
  if (over.length === 0) return [];
  const named = over.slice(0, maxNamed).map(({ cid }) => Number(cid));
  const more = over.length > named.length ? ` and ${over.length - named.length} more` : '';
  const which = over.length === 1 ? 'campaign' : 'campaigns';
  return [`The flight of ${which} ${named.join(', ')}${more} is over: nothing will be delivered.`];
}

/** Warns of the balance if something becomes active. */
export function balanceWarnings(status: unknown, balanceMicros: number): string[] {
  if (status !== active) return [];
  return [`The account has ${usualFormats.money(BigInt(balanceMicros))} available.`];
}

/** Hash of these campaigns as they are stored; null when one of them is absent or another member's. */
export function revisionOf(read: BackendReader, uid: number, cids: readonly number[]): string | null {
  const hash = createHash('sha256');
  for (const cid of cids) {
    const text = read.payload(uid, cid);
    if (text === null) return null;
    const stored = storedText(text);
    hash.update(`${cid} ${stored.length} ${stored}\n`);
  }
  return hash.digest('hex');
}
