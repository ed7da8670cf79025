import type { StoredProposal } from '#core/store/app/index.ts';
import type { Effect } from '../effect.ts';
import { statusEffects } from '../status/index.ts';
import { updateEffects } from '../update/index.ts';
import { knownChange, toolCallParts } from './base.ts';

/** What a call did, where its change is known and was read back; nothing of any other. */
export function toolCallEffects(proposal: StoredProposal): Effect[] {
  const parts = toolCallParts(proposal);
  const known = knownChange(parts);
  if (known === null) return [];
  const change = { ...proposal, ...known };
  return parts.subject.kind === 'update' ? updateEffects(change) : statusEffects(change);
}
