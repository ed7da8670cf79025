import type { CampaignType } from '../../contract/index.ts';
import type { JsonValue } from '../../lib/json/json-value.ts';
import type { CampaignKind } from '../types.ts';

const pricings = ['CPC', 'CPV', 'CPM'] as const;

/** Derives the rules from a type's `pricing` and the words in its name, never from its code (contract §2.3, §2.4). */
export function kindOf(type: CampaignType | undefined): CampaignKind {
  const words = wordsOf(type?.name ?? '');
  const stated = wordsOf(type?.pricing ?? '');
  const pricing = pricings.find((known) => stated.has(known)) ?? 'other';
  const contextual = words.has('CONTEXTUAL');
  const push = words.has('PUSH');
  const popunder = words.has('POPUNDER');
  const recognised = contextual || push || popunder || pricing !== 'other';
  return { pricing, contextual, push, popunder, recognised };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toUpperCase().split(/[^\p{L}\p{N}]+/u));
}

/**
 * True for statuses with which a campaign may spend: Active, and Scheduled, which spends by its start and schedule
 * (contract §3).
 */
export function runs(status: JsonValue | undefined): boolean {
  return status === 1 || status === 4;
}
