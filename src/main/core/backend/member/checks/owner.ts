import { AppError } from '#shared/errors/index.ts';
import type { CampaignUpdate } from '../campaign-update.ts';

/** A uid in the body reaches no other account (contract §2.4, §7.1). Fails with `forbidden`. */
export function rejectForeignOwner({ payload, stored }: CampaignUpdate): void {
  const uid = payload['uid'];
  if (Number.isInteger(uid) && uid !== stored['uid']) {
    throw new AppError('forbidden', { message: 'A campaign cannot be moved to another account.' });
  }
}
