import type { CampaignContext, CampaignType, CampaignTypes } from '../../contract/index.ts';
import { formatBid, formatMoney, toMicros } from '../../lib/decimal.ts';
import { type JsonObject, own } from '../../lib/json/json-value.ts';
import { kindOf } from '../kind.ts';

/** Limits of the contract that no tenant changes (§8). Lengths in Unicode code points. */
export const limits = {
  nameLength: 255,
  titleLength: 25,
  descriptionLength: 75,
  pacingCounter: 1000,
} as const;

/** What a field may hold, for people and for inputs. `maxLength` in Unicode code points. */
export interface FieldLimit {
  text: string;
  min?: number;
  max?: number;
  maxLength?: number;
}

/** The type that the campaign names, when the tenant has it. */
export function typeOf(campaign: JsonObject, context: CampaignContext): CampaignType | undefined {
  const code = own(campaign, 'type');
  return typeof code === 'number' ? typeWithCode(context.types, code) : undefined;
}

/** The tenant's type of a code; the types are keyed by the code as a string (contract §2.3). */
export function typeWithCode(types: CampaignTypes, code: number): CampaignType | undefined {
  const key = String(code);
  return Object.hasOwn(types, key) ? types[key] : undefined;
}

/** The limits of the fields that people edit, from the tenant's types and settings of the same read; nothing is hard-coded. */
export function fieldLimits(campaign: JsonObject, context: CampaignContext): Record<string, FieldLimit> {
  const least = context.settings.min_budget;
  const leastText = `at least ${formatMoney(toMicros(least))}`;
  return {
    name: length(limits.nameLength),
    ...bidLimit(typeOf(campaign, context)),
    ...creativeLimits(campaign, context),
    d_revenue: { text: leastText, min: least },
    t_revenue: { text: `${leastText}; 0 = unlimited`, min: 0 },
    freq_counter: { text: 'a whole number, at least 1', min: 1 },
    traffic_speed_counter: { text: 'a whole number, at least 1,000', min: limits.pacingCounter },
  };
}

function bidLimit(type: CampaignType | undefined): Record<string, FieldLimit> {
  if (type === undefined) return {};
  const { minBid: min, maxBid: max } = type;
  return { payout: { text: `${formatBid(toMicros(min))} – ${formatBid(toMicros(max))}`, min, max } };
}

function creativeLimits(campaign: JsonObject, context: CampaignContext): Record<string, FieldLimit> {
  const kind = kindOf(typeOf(campaign, context));
  if (!kind.contextual && !kind.push) return {};
  return { title: length(limits.titleLength), description: length(limits.descriptionLength) };
}

function length(maxLength: number): FieldLimit {
  return { text: `at most ${maxLength} characters`, maxLength };
}
