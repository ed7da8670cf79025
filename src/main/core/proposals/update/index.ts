import type { MemberClient } from '#core/service-client/index.ts';
import type { Operation } from '../operation.ts';
import { readBackUpdate } from './read-back.ts';
import { cidOf, rereadUpdate } from './reread.ts';
import { updateWords } from './words.ts';

/** The full update of one campaign (contract §4.1, PUT /login/campaigns/{cid}). */
export function createUpdateOperation(client: MemberClient): Operation {
  return {
    words: updateWords,
    reread: (proposal) => rereadUpdate(client, proposal),
    send: (proposal) => client.update(cidOf(proposal), proposal.payload),
    readBack: (proposal) => readBackUpdate(client, proposal),
  };
}

export { prepareUpdate } from './prepare.ts';
export type { UpdateRequest } from './prepare.ts';
