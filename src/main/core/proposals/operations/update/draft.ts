import type { CampaignRead } from '#core/service-client/index.ts';
import { diffCampaigns, validateCampaign } from '#shared/campaign/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { accountOf } from '../account.ts';
import { memberStatusError } from '../member-status.ts';
import type { Draft } from '../operation.ts';
import { baseText, contextOf } from './base.ts';

/**
 * The draft of a full update on this read. Fails with `nothing_to_change`, or with `validation_failed` naming every
 * failing field.
 */
export function draftUpdate(
  cid: number,
  { read, payload, rebase }: { read: CampaignRead; payload: JsonObject; rebase: Draft['rebase'] },
): Draft {
  if (diffCampaigns(read.edit.campaign, payload).length === 0) throw new AppError('nothing_to_change');
  const failures = updateFailures(payload, read);
  if (failures.length > 0) throw new AppError('validation_failed', { fields: failures });
  return {
    operation: 'campaign.update',
    targets: [cid],
    payload: canonicalJson(payload),
    base: baseText(read),
    rebase,
    account: accountOf(read.edit.campaign['uid']),
    endsAtMs: null,
  };
}

/** Every reason why the service would refuse the payload, as far as one can know before asking. */
export function updateFailures(payload: JsonObject, { edit }: CampaignRead): FieldError[] {
  const failures = validateCampaign(payload, contextOf(edit), edit.campaign);
  const status = memberStatusError(edit.campaign['status'], payload['status']);
  return status === null || failures.some(({ field }) => field === 'status')
    ? failures
    : [...failures, status];
}
