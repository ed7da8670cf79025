import { jsonEqual, type JsonObject, own } from '../lib/json/json-value.ts';
import { diffCampaigns } from './diff.ts';
import { judgeFields } from './verdicts.ts';

/** What was read before the write, what was sent, and what a later read found. */
export interface Evidence {
  base: JsonObject;
  sent: JsonObject;
  found: JsonObject;
  /** Fields that the service changes by itself; they say nothing. */
  volatile?: readonly string[];
}

/**
 * What a read proves about a write whose answer never came. A changed field proves that it was stored only when the
 * service holds what was sent, as asked or normalised, and held something else before.
 * - `payload`: everything sent is there, and at least one changed field proves it.
 * - `base`: no changed field proves it, and nothing else moved.
 * - `other`: anything else; somebody may have written meanwhile.
 */
export function storedEvidence({ base, sent, found, volatile = [] }: Evidence): 'payload' | 'base' | 'other' {
  const judged = [...judgeFields(sent, found)].filter(([field]) => !volatile.includes(field));
  const isAllThere = judged.every(([, verdict]) => verdict !== 'different');
  const proves = judged.some(
    ([field]) =>
      !jsonEqual(own(base, field), own(sent, field)) && !jsonEqual(own(base, field), own(found, field)),
  );
  if (isAllThere && proves) return 'payload';
  return diffCampaigns(base, found).every(({ field }) => volatile.includes(field)) ? 'base' : 'other';
}
