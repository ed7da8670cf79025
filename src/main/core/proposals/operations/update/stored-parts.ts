import { z } from 'zod';
import { readStoredText } from '#core/platform/stored-text.ts';
import type { CampaignRead } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { campaignFields } from '#shared/campaign/index.ts';
import { type CampaignContext, campaignEditSchema } from '#shared/contract/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';

export interface UpdateParts {
  before: JsonObject;
  after: JsonObject;
  context: CampaignContext;
}

/** Everything that the read gave, unknown members included. */
export function baseText(read: CampaignRead): string {
  return canonicalJson(read.raw);
}

const campaignSchema = z.custom<JsonObject>(isJsonObject);

export function updateParts({ payload, base }: Pick<StoredProposal, 'payload' | 'base'>): UpdateParts {
  const edit = readStoredText(campaignEditSchema, base);
  return { before: edit.campaign, after: readStoredText(campaignSchema, payload), context: contextOf(edit) };
}

export function cidOf({ id, targets: [cid] }: StoredProposal): number {
  if (cid === undefined) throw new Error(`Proposal ${id} has no campaign`);
  return cid;
}

export function contextOf(edit: CampaignRead['edit']): CampaignContext {
  return { types: edit.campaign_types, settings: edit.settings };
}

/** Fields that decide where the money goes, how much and when. Someone else's change of one is always shown again, never overwritten silently. */
const alwaysCompared: ReadonlySet<string> = new Set([
  'cid',
  'uid',
  'type',
  'status',
  'payout',
  'clickurl',
  'website',
  ...campaignFields.budget,
  ...campaignFields.flight,
  ...campaignFields.schedule,
  ...campaignFields.targeting,
]);

/** True if a field that changes on every read may be skipped after a warning. */
export function mayBeVolatile(field: string): boolean {
  return !alwaysCompared.has(field);
}
