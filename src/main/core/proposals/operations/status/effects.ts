import type { StoredProposal } from '#core/store/app/index.ts';
import type { Effect } from '../effect.ts';
import { statusParts } from './base.ts';
import { rowChange } from './words.ts';

/** What a change of status did, campaign by campaign, as far as the read after it found the status stored. */
export function statusEffects(proposal: StoredProposal): Effect[] {
  const { targets, payload } = statusParts(proposal);
  const isOne = targets.length === 1;
  const stored = new Set(
    proposal.verdicts.filter(({ verdict }) => verdict === 'stored').map(({ field }) => field),
  );
  return targets
    .filter((target) => payload.ids.includes(target.cid) && target.row.status !== payload.status)
    .filter((target) => stored.has(rowChange(target, isOne, 'status').field))
    .map(({ cid, name, row }) => ({
      cid,
      name,
      before: { status: row.status },
      after: { status: payload.status },
      context: null,
    }));
}
