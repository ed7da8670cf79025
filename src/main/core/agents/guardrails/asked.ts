import type { Guarded } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { Guardrails } from '#shared/app-api/index.ts';
import { isUnknownField, type ChangeView } from '#shared/campaign/index.ts';

/** What an agent wants to propose, and what the rules look at. */
export interface Asked extends Guarded {
  agentId: string;
  guardrails: Guardrails;
  /** What this agent proposed before. */
  history: Pick<AppStore['proposals'], 'proposedAtOfAgent' | 'raisesOfAgent'>;
  nowMs: number;
}

/** One guardrail: why it lets the change not pass, what the limit is and what would pass; null where it does. */
export type Rule = (asked: Asked) => string | null;

/** The first field of a change that Countersign does not know; null where there is none. */
export function unknownField(changes: readonly Pick<ChangeView, 'field'>[]): string | null {
  // Of several campaigns each field stands behind its campaign's id.
  return changes.map(({ field }) => field.replace(/^\d+\./, '')).find(isUnknownField) ?? null;
}

/**
 * Whether all is known of what the change does. A rule never takes what it cannot know for harmless; what a call's arguments look like,
 * and which campaigns they name, is no proof of what its tool does.
 */
export function knownOf({ words: { detail } }: Pick<Guarded, 'words'>): 'all' | 'part' {
  return detail.kind !== 'tool' || detail.effect === 'stated' ? 'all' : 'part';
}
