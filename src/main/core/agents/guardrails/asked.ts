import type { Guarded } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { Guardrails } from '#shared/app-api/index.ts';

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

/**
 * Whether all is known of what the change does. A rule never takes what it cannot know for harmless; what a call's arguments look like,
 * and which campaigns they name, is no proof of what its tool does.
 */
export function knownOf({ words: { detail } }: Pick<Guarded, 'words'>): 'all' | 'part' {
  return detail.kind !== 'tool' || detail.effect === 'stated' ? 'all' : 'part';
}
