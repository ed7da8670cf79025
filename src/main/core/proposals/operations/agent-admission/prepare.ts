import { z } from 'zod';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { readStoredText } from '../load-proposal.ts';
import type { PreparedWrite } from '../operation.ts';

const admissionSchema = z.object({
  /** The agent's id from then on. */
  agentId: z.string(),
  clientId: z.string(),
  /** The agent's own claim: foreign text. */
  name: z.string(),
  /** Redirect target of its browser; without a port. */
  redirectHost: z.string(),
  scopes: z.array(z.string()).readonly(),
  /** True if it gets a refresh token; missing in requests from before this was recorded. */
  renews: z.boolean().optional(),
  /** The two words that the browser's page shows as well. */
  words: z.string(),
});

/** Payload of an `agent.admit`, which admits an agent. Contains no secret. */
export type Admission = z.infer<typeof admissionSchema>;

/** Reads the stored payload back. */
export function readAdmission({ payload }: { payload: string }): Admission {
  return readStoredText(admissionSchema, payload);
}

/** Drafts the request for the user's decision, which ends at `endsAtMs` at the latest. */
export function draftAdmission(
  { agentId, clientId, name, redirectHost, scopes, renews, words }: Admission,
  endsAtMs: number,
): PreparedWrite {
  return {
    operation: 'agent.admit',
    targets: [],
    payload: canonicalJson({
      agentId,
      clientId,
      name,
      redirectHost,
      scopes: [...scopes],
      ...(renews === undefined ? {} : { renews }),
      words,
    }),
    base: '{}',
    rebase: null,
    account: null,
    endsAtMs,
    lifetimeMs: longestMs,
  };
}

/** The browser of an agent waits no longer, in milliseconds. */
const longestMs = 10 * 60_000;

/** An agent that is allowed already, as far as another one can be taken for it. */
export interface Namesake {
  clientId: string;
  name: string;
}

/** Store of the agents. */
export interface Admissions {
  /** Admits the agent, once. */
  admit(admission: Admission, profileId: string): void;
  isAdmitted(agentId: string): boolean;
  /** Every agent that is allowed at this moment, on any profile. */
  allowed(): readonly Namesake[];
}
