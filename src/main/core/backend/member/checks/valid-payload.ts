import { validateCampaign } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CampaignUpdate } from '../campaign-update.ts';

/** The full payload against the selected type and the tenant's settings (contract §4.1, rule 1). Fails with `validation_failed` naming every field. */
export function rejectInvalidPayload({ payload, stored, context }: CampaignUpdate): void {
  const fields = validateCampaign(payload, context, stored);
  if (fields.length > 0) throw new AppError('validation_failed', { fields });
}
