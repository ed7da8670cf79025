import { diffCampaigns } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { Verification } from '../write-kind.ts';

/** What the campaign holds now beside what was committed, field by field where they differ. */
export function verifyUpdate(storedText: string | null, committed: JsonObject): Verification {
  const { cid = null } = committed;
  if (storedText === null) return { stored: 'none', data: { cid, differences: [] } };
  const differences = diffCampaigns(committed, JSON.parse(storedText) as JsonObject).map(
    ({ field, before = null, after = null }) => ({ field, committed: before, stored: after }),
  );
  return { stored: differences.length === 0 ? 'all' : 'part', data: { cid, differences } };
}
