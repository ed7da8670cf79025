import { knownOf, type Rule } from '../asked.ts';

/** Campaigns that no agent may touch. While there is one in its profile, a call passes only if all that it does is known. */
export const untouchable: Rule = (asked) => {
  const { guardrails, proposer, draft } = asked;
  const kept = guardrails.untouchable
    .filter(({ profileId }) => profileId === proposer.profile.id)
    .map(({ cid }) => cid);
  if (kept.length === 0) return null;
  if (knownOf(asked) !== 'all') return unknownTargets;
  const touched = kept.filter((cid) => draft.targets.includes(cid));
  if (touched.length === 0) return null;
  const names = touched.length === 1 ? 'Campaign' : 'Campaigns';
  const rest = draft.targets.length > touched.length ? ' The others pass without it.' : '';
  return `${names} ${touched.join(', ')} must not be touched by any agent.${rest}`;
};

const unknownTargets =
  'Some campaigns must not be touched by any agent, and Countersign cannot tell which ones this call touches. ' +
  'A change of other campaigns that is prepared, and committed with nothing beside its payload, passes.';
