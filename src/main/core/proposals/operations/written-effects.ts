import type { StoredProposal } from '#core/store/app/index.ts';
import type { OperationName } from '#shared/app-api/index.ts';
import type { Effect } from './operation.ts';
import { toolCallEffects } from './operations.ts';
import { statusEffects } from './status/read-back.ts';
import { updateEffects } from './update/read-back.ts';

// The members of a batch are proposals of their own.
const none = (): Effect[] => [];

const effects: Readonly<Record<OperationName, (proposal: StoredProposal) => Effect[]>> = {
  'campaign.update': updateEffects,
  'campaign.status': statusEffects,
  'tool.call': toolCallEffects,
  'agent.admit': none,
  batch: none,
};

/** The raw changes that a write made, as far as they were read back. */
export function writtenEffects(proposal: StoredProposal): Effect[] {
  return effects[proposal.operation](proposal);
}
