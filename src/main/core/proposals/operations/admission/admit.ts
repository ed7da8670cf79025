import type { StoredProposal } from '#core/store/app/index.ts';
import type { Operation } from '../operation.ts';
import { type Admissions, readAdmission } from './admission.ts';

/** Lets an agent in: written in the app itself, so there is nothing that could move before, and the read-back is certain. */
export function createAdmitOperation(admissions: Admissions): Operation {
  return {
    reread: async () => ({ kind: 'unchanged' }),
    async send(proposal: StoredProposal) {
      admissions.admit(readAdmission(proposal), proposal.profile.id);
      return null;
    },
    async readBack(proposal) {
      const isAdmitted = admissions.isAdmitted(readAdmission(proposal).agentId);
      return { isAsSent: isAdmitted, evidence: isAdmitted ? 'payload' : 'base', verdicts: [] };
    },
  };
}
