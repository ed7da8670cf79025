import type { ProposalWords } from '../operation.ts';
import type { ToolCallParts } from './base.ts';
import { namedCampaigns } from './named-campaigns.ts';

/** A name that a person can type as it stands on the screen. */
const typeable = /^[A-Za-z0-9_./-]{1,64}$/;

/**
 * What a person types for a call of which Countersign cannot tell all that it does; null for one that it can. The id of the one campaign,
 * else how many campaigns are named, else the name of the tool, or how many arguments there are where nobody can type the name.
 */
export function typedForCall(
  { name, args, effect, undeclared, isUnseen, others }: ToolCallParts,
  targets: ProposalWords['targets'],
): ProposalWords['typeToConfirm'] {
  const isTold = effect === 'stated' || effect === 'assumed';
  if (isTold && undeclared.length === 0 && !isUnseen && others.length === 0) return null;
  const cids = targets.length > 0 ? [...targets.map(({ cid }) => cid), ...others] : [...namedCampaigns(args)];
  const [cid] = cids;
  if (cid !== undefined) return typed(cids.length === 1 ? String(cid) : String(cids.length));
  return typed(typeable.test(name) ? name : String(Object.keys(args).length));
}

function typed(value: string): { label: string; value: string } {
  return { label: `Type ${value} to confirm`, value };
}
