import { statusVerb } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  type Call,
  campaignIn,
  namedCampaigns,
  statesItsChange,
  type StatusMove,
  statusMoveIn,
} from '../call-arguments.ts';
import { callTitle, guessTitle, plainCommit } from './warnings.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence, type Sentence } from '#shared/lib/sentence.ts';

/**
 * A call in one sentence with the campaigns that it names, from its arguments alone: for a call that was refused before the service
 * was read.
 */
export function callInWords(call: Call, formats: Formats): { title: Sentence; cids: readonly number[] } {
  const move = statusMoveIn(call);
  const campaign = campaignIn(call);
  const title = move === null ? campaignTitle(campaign) : statusMoveTitle(move, formats);
  const cids = move?.cids ?? [...namedCampaigns(call.args)];
  if (title === null) return { title: plainCommit({ ...call, undeclared: [] }) ?? callTitle(call), cids };
  return { title: statesItsChange(call) ? title : guessTitle(call, title), cids };
}

function statusMoveTitle({ cids, status }: StatusMove, formats: Formats): Sentence {
  const [only] = cids;
  return sentence`${ownWords(statusVerb(status))} ${ownWords(cids.length === 1 ? `campaign ${only}` : formats.counted(cids.length, 'campaign'))}`;
}

/** Null for an id alone, which says nothing of a change. */
function campaignTitle(campaign: JsonObject | null): Sentence | null {
  if (campaign === null || Object.keys(campaign).length < 2) return null;
  return sentence`Change campaign ${Number(campaign['cid'])}`;
}
