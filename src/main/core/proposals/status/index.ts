import type { MemberClient } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import type { Operation } from '../operation.ts';
import type { StatusPreparation } from './prepare.ts';
import { readBackStatus } from './read-back.ts';
import { rereadStatus } from './reread.ts';
import { statusWords } from './words.ts';

/** The change of status of one or many campaigns (contract §4.1, PUT /login/campaigns/update-status). */
export function createStatusOperation(client: MemberClient, nowMs: () => number): Operation {
  const preparation = ({ profile }: StoredProposal): StatusPreparation => ({
    client,
    today: serviceDay(nowMs(), profile.zone),
  });
  return {
    words: statusWords,
    reread: (proposal) => rereadStatus(preparation(proposal), proposal),
    send: (proposal) => client.updateStatus(proposal.payload),
    readBack: (proposal) => readBackStatus(client, proposal),
  };
}

export { prepareStatus } from './prepare.ts';
