import { knownOf, type Rule } from '../asked.ts';

/** By the campaigns of a change that is stated. Those that other arguments name may not be all that the call touches. */
export const maxCampaigns: Rule = (asked) => {
  const { maxCampaigns: most } = asked.guardrails;
  if (most === null) return null;
  const limit = `One change may touch ${most} ${most === 1 ? 'campaign' : 'campaigns'} at most.`;
  if (knownOf(asked) !== 'all') {
    return `${limit} Countersign cannot tell how many this call touches. A change that is prepared, and committed with nothing beside its payload, passes.`;
  }
  const count = asked.draft.targets.length;
  return count <= most ? null : `${limit} This one touches ${count}; several smaller ones pass.`;
};
