import type { CampaignReader } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { fieldLabel, readBackVerdicts, storedEvidence, valueInWords } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { ReadBack } from '../operation.ts';
import { updateParts, type UpdateParts } from './base.ts';
import { cidOf } from './reread.ts';

/** Reads the campaign after the write and judges every field that was sent. A field named volatile cannot be judged. */
export async function readBackUpdate(client: CampaignReader, proposal: StoredProposal): Promise<ReadBack> {
  const parts = updateParts(proposal);
  const volatile = proposal.rebase?.volatile ?? [];
  const found = await findCampaign(client, cidOf(proposal));
  if (found === null) return { isAsSent: false, evidence: 'other', verdicts: unjudged(parts) };
  const verdicts = readBackVerdicts(parts.after, found, parts.context).map((verdict) =>
    volatile.includes(verdict.field) && verdict.verdict === 'different'
      ? { ...verdict, verdict: 'unknown' as const }
      : verdict,
  );
  return {
    isAsSent: verdicts.every(({ verdict }) => verdict !== 'different'),
    evidence: storedEvidence({ base: parts.before, sent: parts.after, found, volatile }),
    verdicts,
  };
}

/** Null when the service has no such campaign any more. */
async function findCampaign(client: CampaignReader, cid: number): Promise<JsonObject | null> {
  try {
    return (await client.get(cid)).edit.campaign;
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'campaign_not_found') return null;
    throw failure;
  }
}

function unjudged({ after, context }: UpdateParts): ReadBack['verdicts'] {
  return Object.entries(after).map(([field, value]) => ({
    field,
    label: fieldLabel(field),
    verdict: 'unknown',
    sent: valueInWords(field, value, context),
    found: '',
  }));
}
