import type { ClientOf, Operation } from '../operation.ts';
import { readBackUpdate } from './read-back.ts';
import { cidOf, rereadUpdate } from './reread.ts';

/** The full update of one campaign (contract §4.1, PUT /login/campaigns/{cid}). */
export function createUpdateOperation(clientOf: ClientOf): Operation {
  return {
    reread: (proposal) => rereadUpdate(clientOf(proposal), proposal),
    async send(proposal) {
      await clientOf(proposal).update(cidOf(proposal), proposal.payload);
      return null;
    },
    readBack: (proposal) => readBackUpdate(clientOf(proposal), proposal),
  };
}
