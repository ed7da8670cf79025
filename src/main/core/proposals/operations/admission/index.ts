import type { StoredProposal } from '#core/store/app/index.ts';
import type { Operation } from '../operation.ts';
import { readAdmission, type Admission } from './admission.ts';
import type { Namesake } from './warnings.ts';

/** Where agents are kept. */
export interface Admissions {
  /** Lets the agent in, once. */
  admit(admission: Admission, profileId: string): void;
  isAdmitted(agentId: string): boolean;
  /** Every agent that is allowed at this moment, on any profile. */
  allowed(): readonly Namesake[];
}

/** Lets an agent in: written in the app itself, so there is nothing that could move before, and the read-back is certain. */
export function createAdmitOperation(admissions: Admissions): Operation {
  return {
    reread: async () => ({ kind: 'unmoved' }),
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

export { createAdmitting } from './admitting.ts';
export type { Admission } from './admission.ts';
