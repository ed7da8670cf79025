import { knownOf, type Asked, type Rule } from '../asked.ts';

/**
 * Campaigns that no agent may touch. Where nobody can tell which ones a call touches, it does not pass as long as there
 * is such a campaign in its profile; and one that names some may not contain the id of such a campaign anywhere.
 */
export const untouchable: Rule = (asked) => {
  const { guardrails, proposer, draft } = asked;
  const kept = guardrails.untouchable
    .filter(({ profileId }) => profileId === proposer.profile.id)
    .map(({ cid }) => cid);
  if (kept.length === 0) return null;
  const known = knownOf(asked);
  if (known === 'nothing' || (known === 'campaigns' && draft.targets.length === 0)) return unknownTargets;
  const touched = kept.filter((cid) => touches(asked, cid));
  if (touched.length === 0) return null;
  const names = touched.length === 1 ? 'Campaign' : 'Campaigns';
  const rest = draft.targets.length > touched.length ? ' The others pass without it.' : '';
  return `${names} ${touched.join(', ')} must not be touched by any agent.${rest}`;
};

const unknownTargets =
  'Some campaigns must not be touched by any agent, and Countersign cannot tell which ones this call touches. ' +
  'A call that names its campaigns passes.';

function touches(asked: Asked, cid: number): boolean {
  const { draft } = asked;
  if (draft.targets.includes(cid)) return true;
  return knownOf(asked) === 'campaigns' && new RegExp(`(?<!\\d)0*${cid}(?!\\d)`).test(draft.payload);
}
