import { knownOf, type Rule } from '../asked.ts';

export const maxCampaigns: Rule = (asked) => {
  const { maxCampaigns: most } = asked.guardrails;
  if (most === null) return null;
  const limit = `One change may touch ${most} ${most === 1 ? 'campaign' : 'campaigns'} at most.`;
  const count = asked.draft.targets.length;
  if (knownOf(asked) === 'nothing' || (knownOf(asked) === 'campaigns' && count === 0)) {
    return `${limit} Countersign cannot tell which ones this call touches; one that names its campaigns passes.`;
  }
  return count <= most ? null : `${limit} This one touches ${count}; several smaller ones pass.`;
};
