import type { StoredProposal } from '#core/store/app/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import type { ClientOf, Operation } from '../operation.ts';
import type { StatusPreparation } from './prepare.ts';
import { readBackStatus, sentPayload } from './read-back.ts';
import { rereadStatus } from './reread.ts';

/** The change of status of one or many campaigns (contract §4.1, PUT /login/campaigns/update-status). */
export function createStatusOperation(clientOf: ClientOf, nowMs: () => number): Operation {
  const preparation = (proposal: StoredProposal): StatusPreparation => ({
    client: clientOf(proposal),
    today: serviceDay(nowMs(), proposal.profile.zone),
  });
  return {
    reread: (proposal) => rereadStatus(preparation(proposal), proposal),
    async send(proposal) {
      await clientOf(proposal).updateStatus(sentPayload(proposal));
      return null;
    },
    readBack: (proposal) => readBackStatus(clientOf(proposal), proposal),
  };
}
