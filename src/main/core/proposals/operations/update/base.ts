import type { CampaignRead } from '#core/service-client/index.ts';
import { campaignEditSchema, type CampaignContext } from '#shared/contract/index.ts';
import { parseStrictJson } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { Wording } from '../operation.ts';

/** A full update taken apart: the campaign as it was read, what it was validated against, and what is sent. */
export interface UpdateParts {
  before: JsonObject;
  after: JsonObject;
  context: CampaignContext;
}

/** The base of a full update: everything that the read gave, unknown members included. */
export function baseText(read: CampaignRead): string {
  return canonicalJson(read.raw);
}

/** Reads the stored texts back. */
export function updateParts({ payload, base }: Pick<Wording, 'payload' | 'base'>): UpdateParts {
  const edit = campaignEditSchema.parse(parseStrictJson(base));
  const after = parseStrictJson(payload);
  if (!isJsonObject(after)) throw new Error('The payload of a full update is an object');
  return { before: edit.campaign, after, context: contextOf(edit) };
}

/** Types and settings of one read. */
export function contextOf(edit: CampaignRead['edit']): CampaignContext {
  return { types: edit.campaign_types, settings: edit.settings };
}
