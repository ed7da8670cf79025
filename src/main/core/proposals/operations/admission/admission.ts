import { z } from 'zod';
import { parseStrictJson } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { Draft } from '../operation.ts';

const admissionSchema = z.object({
  /** The agent's id from then on. */
  agentId: z.string(),
  clientId: z.string(),
  /** As the agent calls itself: foreign text. */
  name: z.string(),
  /** Where its browser is sent back to; without a port. */
  redirectHost: z.string(),
  scopes: z.array(z.string()).readonly(),
  /** Whether it gets a refresh token; missing in what was asked before that was told. */
  renews: z.boolean().optional(),
  /** The two words that the browser's page shows as well. */
  words: z.string(),
});

/** Payload of an `agent.admit`, which lets an agent in. Holds no secret. */
export type Admission = z.infer<typeof admissionSchema>;

/** Reads the stored payload back. */
export function readAdmission({ payload }: { payload: string }): Admission {
  return admissionSchema.parse(parseStrictJson(payload));
}

/** The draft that asks a person; nobody is asked for longer than until `endsAtMs`. */
export function draftAdmission(
  { agentId, clientId, name, redirectHost, scopes, renews, words }: Admission,
  endsAtMs: number,
): Draft {
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
  };
}

/** An agent that is allowed already, as far as another one can be taken for it. */
export interface Namesake {
  clientId: string;
  name: string;
}

/** Where agents are kept. */
export interface Admissions {
  /** Lets the agent in, once. */
  admit(admission: Admission, profileId: string): void;
  isAdmitted(agentId: string): boolean;
  /** Every agent that is allowed at this moment, on any profile. */
  allowed(): readonly Namesake[];
}
