import type { Operation } from '../operation.ts';

/** What lets an agent in: the payload of an `agent.admit`. */
export interface Admission {
  /** The agent's id from then on. */
  agentId: string;
  clientId: string;
  /** As the agent calls itself: foreign text. */
  name: string;
  redirectHost: string;
  scopes: readonly string[];
  /** The two words that the browser's page shows as well. */
  words: string;
}

/** Where agents are kept. */
export interface Admissions {
  /** Lets the agent in, once. */
  admit(admission: Admission, profileId: string): void;
  isAdmitted(agentId: string): boolean;
}

/** Lets an agent in: written in the app itself. */
export function createAdmitOperation(_admissions: Admissions): Operation {
  const missing = (): never => {
    throw new Error('not yet');
  };
  return { words: missing, reread: missing, send: missing, readBack: missing };
}
